import type { Redact } from "../../base/redact.ts";
import { terminalText } from "../../tools/terminal-text.ts";

/** Characters that are kept of the end of what a program says on its standard error. */
const KEPT = 64 * 1024;
/** A line may not be longer, or it could be kept from people for ever. */
const LONGEST_LINE = 16 * 1024;

export type ErrorStream = {
  push(chunk: string): void;
  /** Its end, with what was left out before it said in a line; call it when nothing more comes. */
  end(): string;
};

/** Takes a program's standard error line by line, so that no secret is cut in two: without secrets, it is told as it comes. */
export const errorStream = ({
  redact,
  onLine,
}: {
  redact: Redact;
  onLine: (line: string) => void;
}): ErrorStream => {
  let open = "";
  let kept = "";
  let leftOut = 0;
  const take = (line: string): void => {
    const text = `${redact(terminalText(line))}\n`;
    onLine(text);
    kept += text;
    if (kept.length <= 2 * KEPT) return;
    leftOut += kept.length - KEPT;
    kept = kept.slice(-KEPT);
  };
  return {
    push: (chunk) => {
      const lines = (open + chunk).split("\n");
      open = lines.pop() ?? "";
      for (const line of lines) take(line);
      if (open.length <= LONGEST_LINE) return;
      take(open);
      open = "";
    },
    end: () => {
      if (open !== "") take(open);
      open = "";
      const cut = Math.max(0, kept.length - KEPT);
      const dropped = leftOut + cut;
      return dropped === 0 ? kept : `[… ${dropped} characters left out …]\n${kept.slice(cut)}`;
    },
  };
};
