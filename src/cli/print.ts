import type { Context } from "./context.ts";
import { plainJson } from "./terminal-text.ts";

/** Prints a value as JSON, for programs. */
export const printJson = ({ stdout }: Pick<Context, "stdout">, value: unknown): void =>
  stdout.write(`${plainJson(value, 2)}\n`);
