import type { Usage } from "../../../store/payload.ts";

/** How a program is called: the arguments after its name, and what it reads. */
export type Invocation = { args: readonly string[]; stdin?: string };

/** What a program wrote, as its preset understands it; `problem`: why that is no answer, in its own words. */
export type Reading =
  | { output: string; sessionId: string | null; usage: Usage | null; model: string | null }
  | { problem: string };

/** A coding agent's command line: one prompt, one answer, nobody to ask. */
export type Preset = {
  /** Where its models usually are, as entries of a `network` list. */
  hosts: readonly string[];
  /** `own`: arguments from the configuration, such as the model. */
  run(prompt: string, own: readonly string[]): Invocation;
  /** The next prompt in the session of an answer; null where the program cannot. */
  continue: ((sessionId: string, prompt: string, own: readonly string[]) => Invocation) | null;
  /** What it is told by variables; those of the configuration win. */
  env: Readonly<Record<string, string>>;
  read(written: { output: string; errors: string }): Reading;
};
