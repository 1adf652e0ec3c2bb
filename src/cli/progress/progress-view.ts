import type { Usage } from "../../store/payload.ts";
import type { EmitEvent } from "../../thread/events.ts";
import type { Output } from "../context.ts";
import type { Style } from "../style.ts";
import { idle, nextActivity } from "./activity.ts";
import { eventLines } from "./event-lines.ts";
import { renderStatusLine } from "./status-line.ts";

const redrawMs = 100;
const clearLine = "\r\u001b[2K";

/** Shows a running thread: lines as things happen, and on a terminal a status line below them that is redrawn. */
export type ProgressView = {
  emit: EmitEvent;
  /** Prints to another stream of the same terminal without tearing the status line. */
  beside(print: () => void): void;
  /** Takes the status line away. */
  close(): void;
};

export const progressView = (
  output: Output,
  { style, now, usage }: { style: Style; now: () => number; usage: Usage },
): ProgressView => {
  const startedAt = now();
  const calls = new Map<string, string>();
  let activity = idle(usage);
  let drawn = false;

  const clear = () => {
    if (drawn) output.write(clearLine);
    drawn = false;
  };
  const draw = () => {
    if (!output.isTerminal) return;
    const line = renderStatusLine(activity, { now: now(), startedAt, width: output.columns() || 80, style });
    output.write(clearLine + line);
    drawn = true;
  };
  const timer = output.isTerminal ? setInterval(draw, redrawMs) : undefined;
  timer?.unref();

  return {
    emit: (event) => {
      if (event.kind === "tool-started") calls.set(event.callId, event.arguments);
      activity = nextActivity(activity, event);
      const lines = eventLines(event, { calls, style, width: output.columns() });
      if (event.kind === "tool-finished") calls.delete(event.callId);
      if (lines.length === 0) return;
      clear();
      output.write(lines.map((line) => `${line}\n`).join(""));
      draw();
    },
    beside: (print) => {
      clear();
      print();
    },
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
};
