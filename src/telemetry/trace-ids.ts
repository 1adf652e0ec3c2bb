import { createHash } from "node:crypto";
import type { Hash, ThreadId } from "../base/ids.ts";

/**
 * Ids that every worker finds by itself: the parts of a thread that different machines played are one trace, and a step that
 * was begun on one of them and ended on another is one span.
 */
export const traceIdOf = (thread: ThreadId): string => hex(`trace ${thread}`, 32);
export const threadSpanId = (thread: ThreadId): string => hex(`thread ${thread}`, 16);
/** `head` is what the step is appended to. */
export const stepSpanId = (thread: ThreadId, head: Hash): string => hex(`step ${thread} ${head}`, 16);

const hex = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
