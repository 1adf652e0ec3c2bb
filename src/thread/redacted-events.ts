import type { Secrets } from "../base/redact.ts";
import { type RedactStream, redactStream } from "../base/redact-stream.ts";
import type { EmitEvent, ThreadEvent } from "./events.ts";

/** Passes events on without secrets of this process, also where one comes in two pieces of a command's output. */
export const redactedEvents = (emit: EmitEvent, secrets: Pick<Secrets, "redact" | "heldBack">): EmitEvent => {
  const streams = new Map<string, RedactStream>();
  const streamOf = (key: string): RedactStream => {
    const open = streams.get(key) ?? redactStream(secrets);
    streams.set(key, open);
    return open;
  };
  return (event) => {
    if (event.kind === "tool-output") {
      const piece = streamOf(keyOf(event)).push(event.piece);
      if (piece !== "") emit({ ...event, piece });
      return;
    }
    // The model's own pieces have come without any.
    if (event.kind === "model-text") return emit(event);
    if (event.kind === "tool-finished") {
      const { thread, at, role, callId, within } = event;
      const rest = streams.get(keyOf(event))?.end() ?? "";
      streams.delete(keyOf(event));
      const about = { thread, at, role, callId, ...(within === undefined ? {} : { within }) };
      if (rest !== "") emit({ kind: "tool-output", ...about, piece: rest });
    }
    emit(masked(event, secrets.redact) as ThreadEvent);
  };
};

const keyOf = ({ thread, callId }: { thread: string; callId: string }): string => `${thread} ${callId}`;

const masked = (value: unknown, redact: Secrets["redact"]): unknown => {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, redact));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, redact)]));
};
