import { shortHash } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import { summarizeCall } from "../call-summary.ts";
import { counted, formatDuration, formatUsage } from "../format.ts";
import type { Style } from "../style.ts";
import { plainLine, plainText } from "../terminal-text.ts";
import type { KeptText } from "./kept-texts.ts";

/** One turn for people to read: who, what it cost, and its text, of which at most `maxLines` lines. */
export const renderTurn = (
  turn: Payload<"turn">,
  { style, maxLines }: { style: Style; maxLines: number },
): string => {
  const body = (text: string): string[] => bodyLines(text, { style, maxLines });
  switch (turn.kind) {
    case "message":
      return join([style.yellow("● told"), ...body(turn.text)]);
    case "reply": {
      const spent = `${formatDuration(turn.ms)}, ${formatUsage(turn.usage)}`;
      const finish =
        turn.finish === "length" || turn.finish === "filtered" ? style.red(` ended: ${turn.finish}`) : "";
      const calls = turn.toolCalls.map(({ name, arguments: args }) =>
        `  ${style.dim("→")} ${style.bold(plainLine(name))} ${summarizeCall(name, args)}`.trimEnd(),
      );
      return join([
        `${style.cyan("● model")} ${style.dim(`${plainLine(turn.model)}, ${spent}`)}${finish}`,
        ...(turn.content.trim() === "" ? [] : body(turn.content)),
        ...calls,
      ]);
    }
    case "tool": {
      const mark = turn.ok ? style.green("✓") : style.red("✗");
      const head = `${mark} ${style.bold(plainLine(turn.name))} ${style.dim(formatDuration(turn.ms))}`;
      return join([head, ...body(turn.text)]);
    }
    case "compaction": {
      const masked = counted(turn.masked.length, "old result");
      const head = `${style.yellow("● compaction")} ${style.dim(`${masked} left out, the last ${turn.kept} turns kept`)}`;
      return join([head, ...(turn.summary === "" ? [] : body(turn.summary))]);
    }
    case "lost": {
      const spent = `${formatDuration(turn.ms)}, ${formatUsage(turn.usage)}`;
      return join([`${style.red("● no reply")} ${style.dim(spent)}`, ...body(turn.reason)]);
    }
    case "state":
      return join([`${style.yellow("● kept")} ${style.dim(shortHash(turn.state))}`]);
    case "child": {
      const spent = `${formatDuration(turn.ms)}, ${formatUsage(turn.usage)}`;
      const head = `${style.cyan("● workflow")} ${plainLine(turn.childWorkflow)} ${turn.status} ${style.dim(`${turn.childThreadId}, ${spent}`)}`;
      return join([head, ...(turn.reason === null ? [] : body(turn.reason))]);
    }
  }
};

/** What a program said on its standard error, or wrote about its work, under the hash of the node that has it. */
export const renderKept = (
  { hash, text }: KeptText,
  { style, maxLines }: { style: Style; maxLines: number },
): string =>
  join([`${style.yellow("● kept")} ${style.dim(shortHash(hash))}`, ...bodyLines(text, { style, maxLines })]);

const join = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

const bodyLines = (text: string, { style, maxLines }: { style: Style; maxLines: number }): string[] => {
  const lines = plainText(text).trimEnd().split("\n");
  if (lines.length <= maxLines) return lines.map(indent);
  const head = Math.ceil(maxLines / 2);
  const tail = maxLines - head;
  const cut = style.dim(`  … ${lines.length - maxLines} lines more (--full shows them)`);
  return [...lines.slice(0, head).map(indent), cut, ...lines.slice(lines.length - tail).map(indent)];
};

const indent = (line: string): string => (line === "" ? "" : `  ${line}`);
