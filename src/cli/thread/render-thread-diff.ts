import { shortHash } from "../../base/ids.ts";
import { shortDiff } from "../../base/line-diff.ts";
import type { StepPair, StepSide, ThreadSide, ThreadsBetween } from "../../thread/compare/compare-threads.ts";
import type { FileBetween } from "../../thread/compare/files-between.ts";
import { valueLines } from "../fields.ts";
import { counted, formatDuration, formatUsage } from "../format.ts";
import type { Style } from "../style.ts";
import { padEnd, plainLine, plainText } from "../terminal-text.ts";
import { paintStatus, shortId, threadJson } from "./thread-text.ts";

/** Two threads for people: what they share, what differs step by step, and how each has ended. `-` is the first, `+` the second. */
export const renderThreadDiff = (between: ThreadsBetween, style: Style): string => {
  const { a, b, shared, steps } = between;
  const parts = [
    [
      ...threadLines("-", a, style),
      ...threadLines("+", b, style),
      ...beginning(between).map((line) => style.dim(line)),
    ],
    sharedLines(between, style),
    ...steps.map((pair) => pairLines(pair, style)),
    ...(shared.length + steps.length === 0 ? [["Neither has finished a step."]] : []),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
};

/** For programs. */
export const threadDiffJson = ({ a, b, ...between }: ThreadsBetween) => ({
  a: sideJson(a),
  b: sideJson(b),
  ...between,
});

const sideJson = ({ record, ...side }: ThreadSide) => ({ ...threadJson(record), ...side });

const paintMark = (mark: "-" | "+", style: Style): string =>
  mark === "-" ? style.red("-") : style.green("+");

const threadLines = (mark: "-" | "+", side: ThreadSide, style: Style): string[] => {
  const { record, published, steps } = side;
  const reason = record.reason === null ? "" : `: ${plainLine(record.reason)}`;
  const result = published === null ? "" : `  ${plainLine(published.url ?? `branch ${published.branch}`)}`;
  return [
    `${paintMark(mark, style)} ${style.bold(plainLine(record.title))} ${style.dim(record.id)}`,
    `    ${paintStatus(record.status, record.status, style)}${reason}${result}`,
    style.dim(`    ${counted(steps, "step")} of its own: ${spent(side)}`),
  ];
};

/** What is not the same from the beginning. */
const beginning = ({ a, b, sameWorkflow, sameInput, shared }: ThreadsBetween): string[] => {
  if (shared.length > 0) return [];
  return [
    ...(sameWorkflow ? [] : ["Their workflows differ."]),
    ...(sameInput ? [] : ["They were asked for different things."]),
    ...(a.base === b.base
      ? []
      : [`They began with different commits: ${short(a.base)} and ${short(b.base)}.`]),
  ];
};

const short = (commit: string | null): string => commit?.slice(0, 12) ?? "none";

const sharedLines = ({ shared, steps }: ThreadsBetween, style: Style): string[] => {
  const last = shared.at(-1);
  if (last === undefined) return ["They share no step."];
  const parted = steps.length === 0 ? "and neither has another" : `and part after step ${last.number}`;
  return [
    `They share ${counted(shared.length, "step")}, ${parted}:`,
    ...shared.map(
      ({ number, role, hash }) => `  ${number} ${plainLine(role)}  ${style.dim(shortHash(hash))}`,
    ),
  ];
};

const pairLines = ({ role, a, b, files }: StepPair, style: Style): string[] => {
  const numbers =
    a !== null && b !== null && a.number !== b.number ? `${a.number}/${b.number}` : `${(a ?? b)?.number}`;
  const head = style.bold(`${numbers} ${plainLine(role)}`);
  if (a === null || b === null) {
    const [side, mark] = a === null ? ([b, "+"] as const) : ([a, "-"] as const);
    if (side === null) return [];
    return [
      `${head}  ${paintMark(mark, style)} only in ${a === null ? "the second" : "the first"}`,
      sideLine(mark, side, style),
      ...outputLines(side).map((line) => `    ${line}`),
    ];
  }
  const output = shortDiff(outputLines(a).join("\n"), outputLines(b).join("\n"), { context: 0 });
  const task =
    a.task === b.task ? [] : shortDiff(plainText(a.task), plainText(b.task), { context: 0, maxLines: 12 });
  return [
    head,
    sideLine("-", a, style),
    sideLine("+", b, style),
    ...section("task", task, style),
    ...(output.length === 0 ? [style.dim("    the same output")] : section("output", output, style)),
    ...section("files", fileLines(files), style),
    ...withinLines(a, b, style),
  ];
};

/** Where the roles of the workflows that played this one are compared. */
const withinLines = (a: StepSide, b: StepSide, style: Style): string[] =>
  a.childThreadId === null || b.childThreadId === null
    ? []
    : [style.dim(`    its roles: uwf thread diff ${shortId(a.childThreadId)} ${shortId(b.childThreadId)}`)];

const sideLine = (mark: "-" | "+", side: StepSide, style: Style): string =>
  `  ${paintMark(mark, style)} ${plainLine(side.agent)}  ${style.dim(`${shortHash(side.hash)}  ${spent(side)}`)}`;

const spent = ({ calls, usage, ms }: Pick<StepSide, "calls" | "usage" | "ms">): string =>
  `${counted(calls, "call")}, ${formatUsage(usage)}, ${formatDuration(ms)}`;

const section = (name: string, all: readonly string[], style: Style): string[] => {
  const lines = all.filter((line) => !/^[-+]\s*$/.test(line));
  return lines.length === 0 ? [] : [`    ${name}`, ...lines.map((line) => `      ${painted(line, style)}`)];
};

const painted = (line: string, style: Style): string => {
  if (/^[-D] /.test(line)) return style.red(line);
  return /^[+A] /.test(line) ? style.green(line) : line;
};

const outputLines = ({ output }: StepSide): string[] => valueLines(output, (text) => plainLine(text));

const fileLines = (files: readonly FileBetween[]): string[] => {
  const width = Math.max(0, ...files.map(({ path }) => plainLine(path).length));
  return files.map(({ status, path, added, removed }) => {
    const counts = added === null || removed === null ? "" : `  +${added} -${removed}`;
    return `${status} ${padEnd(plainLine(path), width)}${counts}`.trimEnd();
  });
};
