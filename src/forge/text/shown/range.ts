import type { HiddenKind } from "./left-out.ts";

/** A part of a text: from the first character to the one behind its last. */
export type Range = { from: number; to: number };

/** A part of a text that is not shown; of no kind when there is nothing in it to tell anybody about. */
export type Cut = Range & { kind: HiddenKind | null };
