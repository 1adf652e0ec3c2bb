import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Hash } from "../base/ids.ts";
import { isMissing, writeWhole } from "./directories.ts";
import type { ThreadPlace } from "./layout.ts";

/** What a thread's directory was made for, and what has been captured from it here. */
export const ThreadState = z.strictObject({
  repository: z.string().nullable(),
  /** The mirror's directory. */
  mirror: z.string().nullable(),
  /** The pool that the directory goes back to. */
  pool: z.string().nullable(),
  base: z.string().nullable(),
  captures: z.array(z.string()),
});
export type ThreadState = z.infer<typeof ThreadState>;

const MOST_CAPTURES = 500;

/** Undefined when the directory is missing or was never finished. */
export const readState = async (place: ThreadPlace): Promise<ThreadState | undefined> => {
  try {
    return ThreadState.safeParse(JSON.parse(await readFile(place.state, "utf8"))).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

export const writeState = (place: ThreadPlace, state: ThreadState): Promise<void> =>
  writeWhole(place.state, JSON.stringify(state));

export const addCapture = async (place: ThreadPlace, state: ThreadState, captured: Hash): Promise<void> => {
  if (state.captures.at(-1) === captured) return;
  await writeState(place, { ...state, captures: [...state.captures, captured].slice(-MOST_CAPTURES) });
};

/**
 * True when the directory holds the thread's work: made for the same base, and the thread's last captured state is one
 * that was captured here. Another machine may have gone on with the thread since.
 */
export const isCurrent = (
  state: ThreadState,
  place: { repository: string; base: string; captured: Hash | null } | null,
): boolean => {
  if (place === null) return state.repository === null;
  if (state.repository !== place.repository || state.base !== place.base) return false;
  return place.captured === null || state.captures.includes(place.captured);
};
