import type { ThreadEvent } from "../../thread/events.ts";
import { summarizeCall } from "../call-summary.ts";
import { valueLines } from "../fields.ts";
import { formatDuration, formatUsage } from "../format.ts";
import type { Style } from "../style.ts";
import { displayWidth, padEnd, plainLine, plainText, truncate } from "../terminal-text.ts";

const nameWidth = 12;
const failureLines = 8;
const outputLines = 8;
const textLines = 3;
/** Where nobody can say how wide a line may be, as in a file. */
const unknownWidth = 160;

type Look = { style: Style; width: number };

type Known = {
  /** The arguments of calls, by id. */
  calls: ReadonlyMap<string, string>;
  /** The role whose heading stands above; null where there are no headings. */
  under: string | null;
};

/** `developer › coder`: the role, after those that are played by the workflows around it. */
export const rolePath = ({ within, role }: Pick<ThreadEvent, "within"> & { role: string }): string =>
  [...(within?.roles ?? []), role].map((name) => plainLine(name)).join(" › ");

/** The lines that an event adds to the record of a run, each within `width` columns (0: unknown). */
export const eventLines = (event: ThreadEvent, { calls, under, ...look }: Look & Known): string[] => {
  const { style } = look;
  switch (event.kind) {
    case "step-started": {
      const continued = event.continued ? ", taken up where it was left" : "";
      const step = style.dim(`step ${event.index + 1}${continued}`);
      return ["", heading(rolePath(event), step, style)];
    }
    case "model-replied":
      return said(event.content, look);
    case "model-waiting":
      return [
        style.yellow(cut(`  … waiting ${formatDuration(event.ms)}: ${plainLine(event.reason)}`, look.width)),
      ];
    case "tool-finished":
      return toolLines(event, { ...look, args: calls.get(event.callId) ?? "" });
    case "step-finished": {
      const spent = `after ${formatDuration(event.ms)}, ${formatUsage(event.usage)}`;
      const role = rolePath(event);
      // A role that a workflow has played ends below the roles of that workflow.
      const above =
        under === null || role === under
          ? []
          : ["", heading(role, style.dim(`step ${event.index + 1}`), style)];
      return [...above, `  ${style.green("■")} answered ${style.dim(spent)}`, ...answer(event.output, look)];
    }
    case "published": {
      const { branch, commit, url } = event.published;
      const where = url === null ? commit.slice(0, 10) : plainLine(url);
      return [`  ${style.green("↑")} ${plainLine(branch)} ${style.dim(where)}`];
    }
    case "status":
    case "model-text":
    case "model-called":
    case "tool-started":
    case "tool-output":
      return [];
  }
};

const heading = (role: string, step: string, style: Style): string =>
  `${style.cyan("●")} ${style.bold(role)} ${step}`;

const cut = (line: string, width: number): string =>
  truncate(line, width === 0 ? unknownWidth : Math.max(20, width - 1));

/** The first lines of what the model said: why it does what it does next. */
const said = (content: string, { style, width }: Look): string[] => {
  const lines = plainText(content)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(0, textLines).map((line) => style.dim(cut(`  ${line.trimEnd()}`, width)));
  return lines.length > textLines ? [...shown, style.dim("  …")] : shown;
};

const toolLines = (
  event: Extract<ThreadEvent, { kind: "tool-finished" }>,
  { args, style, width }: Look & { args: string },
): string[] => {
  // A good `resolve` is the step's end, which has its own lines.
  if (event.name === "resolve" && event.ok) return [];
  const mark = event.ok ? style.green("✓") : style.red("✗");
  const name = padEnd(plainLine(event.name), nameWidth);
  const time = formatDuration(event.ms);
  const room = (width === 0 ? unknownWidth : width - 1) - 5 - displayWidth(name) - 2 - time.length;
  const about = truncate(summarizeCall(event.name, args), Math.max(0, room));
  const filled = width === 0 ? about : padEnd(about, room);
  const head = `  ${mark} ${name} ${filled}  ${style.dim(time)}`;
  return event.ok ? [head] : [head, ...failure(event.text, { style, width })];
};

/** The end of a failed call's answer, where the reason mostly is. */
const failure = (text: string, { style, width }: Look): string[] => {
  const lines = plainText(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(-failureLines).map((line) => style.dim(cut(`    │ ${line.trimEnd()}`, width)));
  return lines.length > failureLines ? [style.dim("    │ …"), ...shown] : shown;
};

const answer = (output: unknown, { style, width }: Look): string[] => {
  const lines = valueLines(output, (text) => cut(`    ${plainLine(text)}`, width));
  const shown = lines.slice(0, outputLines);
  return lines.length > outputLines
    ? [...shown, style.dim(`    … ${lines.length - outputLines} more`)]
    : shown;
};
