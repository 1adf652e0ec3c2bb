import type { ThreadId } from "../../base/ids.ts";

/** The hidden line by which a thread's live comment is found again. */
export const threadMarker = (thread: ThreadId): string => `<!-- uwf:thread:${thread} -->`;
