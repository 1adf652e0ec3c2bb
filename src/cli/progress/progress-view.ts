import { zeroUsage } from "../../llm/usage.ts";
import type { Usage } from "../../store/payload.ts";
import type { EmitEvent } from "../../thread/events.ts";
import type { Output } from "../context.ts";
import type { Style } from "../style.ts";
import { idle, nextActivity } from "./activity.ts";
import { eventLines, rolePath } from "./event-lines.ts";
import { renderStatusLine } from "./status-line.ts";

const redrawMs = 100;
const clearLine = "\r\u001b[2K";

/** Shows a running thread: lines as things happen, and on a terminal a status line below them that is redrawn. */
export type ProgressView = {
  emit: EmitEvent;
  /** Time counts from now, cost from what the thread has used already. */
  begin(usage: Usage): void;
  /** Prints to another stream of the same terminal without tearing the status line. */
  beside(print: () => void): void;
  /** Takes the status line away. */
  close(): void;
};

export const progressView = (
  output: Output,
  { style, now }: { style: Style; now: () => number },
): ProgressView => {
  const calls = new Map<string, string>();
  let under: string | null = null;
  let startedAt = now();
  let activity = idle(zeroUsage());
  let drawn = false;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn) output.write(clearLine);
    drawn = false;
  };
  const draw = () => {
    if (timer === undefined) return;
    const line = renderStatusLine(activity, { now: now(), startedAt, width: output.columns() || 80, style });
    output.write(clearLine + line);
    drawn = true;
  };

  return {
    emit: (event) => {
      if (event.kind === "tool-started") calls.set(event.callId, event.arguments);
      activity = nextActivity(activity, event);
      const lines = eventLines(event, { calls, under, style, width: output.columns() });
      if (event.kind === "step-started" || event.kind === "step-finished") under = rolePath(event);
      if (event.kind === "tool-finished") calls.delete(event.callId);
      if (lines.length === 0) return;
      clear();
      output.write(lines.map((line) => `${line}\n`).join(""));
      draw();
    },
    begin: (usage) => {
      startedAt = now();
      activity = idle(usage);
      timer ??= output.isTerminal ? setInterval(draw, redrawMs).unref() : undefined;
    },
    beside: (print) => {
      clear();
      print();
    },
    close: () => {
      clearInterval(timer);
      timer = undefined;
      clear();
    },
  };
};
