import type { Drift, Remark, Replay, ReplayedCall, ReplayedStep } from "../../thread/replay/drift.ts";
import { summarizeCall } from "../call-summary.ts";
import { counted, formatDuration } from "../format.ts";
import type { Style } from "../style.ts";
import { plainLine, truncate } from "../terminal-text.ts";

const MAX_LABEL = 100;

/** A step on one line, and below it what differs and what was not judged. */
export const renderReplayedStep = (step: ReplayedStep, style: Style): string => {
  const mark = step.drift.length > 0 ? style.red("✗") : style.green("✓");
  const roles = [...step.within, step.role].map((role) => plainLine(role)).join(" › ");
  const spent = [
    ...(step.finished ? [] : ["not finished"]),
    counted(step.calls, "call"),
    formatDuration(step.ms),
  ].join(", ");
  const head = `${mark} ${style.bold(`${step.step} ${roles}`)}  ${style.dim(spent)}`;
  return `${[head, ...step.remarks.map((one) => remarkLine(one, style)), ...step.drift.flatMap((one) => driftLines(one, style))].join("\n")}\n`;
};

/** Whether all is as it was recorded, in a sentence. */
export const renderVerdict = ({ drift, steps, remarks, workflow }: Replay, style: Style): string => {
  const calls = steps.reduce((sum, step) => sum + step.calls, 0);
  const played = `${counted(steps.length, "step")} and ${counted(calls, "call")} by ${plainLine(workflow.name)}`;
  const left = remarks.length === 0 ? "" : ` Not judged: ${counted(remarks.length, "thing")}, told above.`;
  return drift.length === 0
    ? `\n${style.green("No drift.")} ${played} came out as they were recorded.${left}\n`
    : `\n${style.red(counted(drift.length, "difference"))} from the record in ${played}.${left}\n`;
};

const driftLines = ({ call, what, diff }: Drift, style: Style): string[] => [
  `    ${style.red("≠")} ${labelOf(call)}${plainLine(what)}`,
  ...diff.map((line) => `        ${painted(plainLine(line, { indent: "kept" }), style)}`),
];

const remarkLine = ({ call, what }: Remark, style: Style): string =>
  style.dim(`    · ${labelOf(call)}${plainLine(what)}`);

const labelOf = (call: ReplayedCall | null): string => {
  if (call === null) return "";
  const about = summarizeCall(call.name, call.arguments);
  return `call ${call.number}, ${truncate(`${plainLine(call.name)} ${about}`.trim(), MAX_LABEL)}: `;
};

const painted = (line: string, style: Style): string => {
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("+") ? style.green(line) : style.dim(line);
};
