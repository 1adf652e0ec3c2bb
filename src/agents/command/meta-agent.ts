import { AppError } from "../../base/errors.ts";
import type { AdapterFn, ThreadContext } from "../adapter.ts";
import { outputJudge } from "../judge-output.ts";

/** Runs the agent's program with these arguments after its own, and answers its standard output. */
export type Play = (context: ThreadContext, args: readonly string[]) => Promise<string>;

/**
 * A program that answers the role's output as JSON: `<command> <args…> -t <thread> -r <role>`. What does not fit the schema fails
 * the step: the program cannot be asked again in the same session. Rejects with `role-output-invalid` (fix-input) and as `play`.
 */
export const metaAgent =
  ({ play, name }: { play: Play; name: string }): AdapterFn =>
  (_, schema) => {
    const judge = outputJudge(schema);
    return async (context) => {
      const text = await play(context, ["-t", context.threadId, "-r", context.role]);
      const parsed = parse(text);
      const output = parsed.ok ? judge(parsed.value) : parsed;
      if (output.ok) return output.value;
      throw invalidOutput(output.problems, { name, role: context.role });
    };
  };

/** Said of what a program answers as the output of its role. */
export const invalidOutput = (problems: string, { name, role }: { name: string; role: string }): AppError =>
  new AppError(
    `The agent ${name} did not answer with an output of the role "${role}": ${problems.replaceAll("\n", "; ")}`,
    {
      code: "role-output-invalid",
      remedy: "fix-input",
      hint: "See what it answered with `uwf thread step-details`, and what it is asked for with `uwf thread context`.",
    },
  );

/** JSON with nothing but white space around it, or one fenced block of it. */
const parse = (text: string): { ok: true; value: unknown } | { ok: false; problems: string } => {
  const bare = text.trim();
  const fenced = /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(bare)?.[1];
  try {
    return { ok: true, value: JSON.parse(fenced ?? bare) };
  } catch {
    return { ok: false, problems: `its standard output must be JSON and nothing else, not ${shown(bare)}` };
  }
};

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
