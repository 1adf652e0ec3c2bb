import { killWith } from "../../workspace/sandbox/leftovers.ts";

/** The variable that every process of a thread's program outside the sandbox inherits. */
export const THREAD = "UWF_THREAD";

/** Ends the programs of a thread that a process on this machine has left behind when it was killed. */
export const endPrograms = (thread: string): Promise<void> => killWith(`${THREAD}=${thread}`);
