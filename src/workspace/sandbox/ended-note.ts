import type { CommandResult } from "./sandbox.ts";

/** Says below the output why the engine or the kernel has ended what did not end itself. */
export const withNote = <T extends CommandResult>(result: T, note: string): T => ({
  ...result,
  output: `${result.output}${result.output === "" || result.output.endsWith("\n") ? "" : "\n"}[${note}]\n`,
});

/** For a command whose control group ran out of memory. */
export const outOfMemory = (memoryMb: number): string =>
  `a process was ended: the command had all of its ${memoryMb} MiB of memory`;
