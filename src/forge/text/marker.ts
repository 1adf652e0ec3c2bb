import type { ThreadId } from "../../base/ids.ts";

/** The hidden line by which a thread's live comment is found again. */
export const threadMarker = (thread: ThreadId): string => `<!-- uwf:thread:${thread} -->`;

/**
 * The hidden line by which what a thread has said once, in a review or a conversation, is found again: `step` is the number of
 * the step that says it.
 */
export const saidMarker = (thread: ThreadId, step: number): string => `<!-- uwf:said:${thread}:${step} -->`;

/** The hidden line by which the comment is found again with which a thread has talked to a person in its step of this number. */
export const turnMarker = (thread: ThreadId, step: number): string => `<!-- uwf:turn:${thread}:${step} -->`;
