import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Hash } from "../base/ids.ts";
import { isMissing, writeWhole } from "./directories.ts";
import type { ThreadPlace } from "./layout.ts";
import type { WantedWorkspace } from "./workspace.ts";

/** What a thread's directory was made for, and what has been captured from it here. */
export const ThreadState = z.strictObject({
  repository: z.string().nullable(),
  /** The mirror's directory. */
  mirror: z.string().nullable(),
  /** The pool that the directory goes back to. */
  pool: z.string().nullable(),
  base: z.string().nullable(),
  captures: z.array(z.string()),
  /** The repository's setup is done in it. */
  ready: z.boolean().default(false),
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
 * True when the directory holds the thread's work: made for the same base, opened `here` last, and the thread's last
 * captured state is one that was captured here. Either alone could be wrong: another machine may have brought the files
 * back to an earlier state, and a storage root may have been copied.
 */
export const isCurrent = (
  state: ThreadState,
  { wanted, here }: { wanted: WantedWorkspace | null; here: string },
): boolean => {
  if (wanted === null) return state.repository === null;
  if (wanted.lastAt !== undefined && wanted.lastAt !== here) return false;
  if (state.repository !== wanted.repository || state.base !== wanted.base) return false;
  return wanted.captured === null || state.captures.includes(wanted.captured);
};
