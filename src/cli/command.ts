import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-code.ts";

export type Argument = {
  summary: string;
  /** May be left out. */
  optional?: true;
  /** Takes all that is left; the last one. */
  rest?: true;
};

export type Option = {
  type: "string" | "boolean";
  summary: string;
  short?: string;
  /** What stands for the value in the help: `--limit <n>`. */
  value?: string;
  /** May be given several times: the values come as a list. */
  many?: true;
};

type ArgumentValues<A> = {
  [K in keyof A]: A[K] extends { rest: true }
    ? readonly string[]
    : A[K] extends { optional: true }
      ? string | undefined
      : string;
};
type OptionValues<O> = {
  [K in keyof O]: O[K] extends { type: "boolean" }
    ? boolean
    : O[K] extends { many: true }
      ? readonly string[]
      : string | undefined;
};

/** What `uwf <name>` takes and does. The arguments stand in order. */
export type Command = {
  description: string;
  arguments: Readonly<Record<string, Argument>>;
  options: Readonly<Record<string, Option>>;
  examples: readonly string[];
  run(values: ParsedValues, context: Context): Promise<ExitCode>;
};

export type ParsedValues = {
  arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
};

type Declaration<A, O> = {
  description: string;
  arguments: A;
  options: O;
  examples: readonly string[];
  run(
    values: { arguments: ArgumentValues<A>; options: OptionValues<O> },
    context: Context,
  ): Promise<ExitCode>;
};

/** One declaration gives parsing, types and help. */
export const defineCommand = <
  const A extends Readonly<Record<string, Argument>>,
  const O extends Readonly<Record<string, Option>>,
>(
  declaration: Declaration<A, O>,
): Command => ({
  ...declaration,
  // The parser fills in what the declaration asks for; the types cannot see that.
  run: (values, context) =>
    declaration.run(values as { arguments: ArgumentValues<A>; options: OptionValues<O> }, context),
});

export const jsonOption = { type: "boolean", summary: "Print JSON on standard output." } as const;
