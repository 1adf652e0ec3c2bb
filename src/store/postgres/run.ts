import type { QueryConfig } from "pg";
import { answerTo } from "./answer.ts";
import { isSilence } from "./failure.ts";
import type { Connections, Taken } from "./pool.ts";

/** A statement that each connection prepares once, under its name. Tables and functions are named as in the schema uwf. */
export type Statement = { name: string; text: string };

/** Evaluated in a statement, it lets this transaction be acknowledged before it is on the disk. */
export const unwaited = "set_config('synchronous_commit', 'off', true)";

export type Value = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

/** Runs one statement, or without values a script. */
export type Run = <Row>(statement: string | Statement, values?: readonly Value[]) => Promise<Row[]>;

export type RunOptions = {
  schema: string;
  /** Milliseconds for the answer. */
  answerMs: number;
};

export const runOn =
  (taken: Taken, { schema, answerMs }: RunOptions): Run =>
  async <Row>(statement: string | Statement, values?: readonly Value[]) => {
    const named = typeof statement === "string" ? { text: statement } : statement;
    const size = values?.reduce<number>((sum, value) => sum + sizeOf(value), 0) ?? 0;
    const query: QueryConfig = { ...named, text: named.text.replaceAll("uwf.", `"${schema}".`) };
    if (values !== undefined) query.values = [...values];
    // While a large body is on its way over a slow line, nothing comes back.
    return (await answerTo(taken, { query, silentMs: answerMs + size / 1_000 })).rows as Row[];
  };

const sizeOf = (value: Value): number => (Buffer.isBuffer(value) ? value.length : 0);

/** Gives `work` a connection of the pool; one on which anything failed is not used again. */
export const using = async <T>(pool: Connections, work: (taken: Taken) => Promise<T>): Promise<T> => {
  const taken = await pool.take();
  try {
    const result = await work(taken);
    taken.giveBack();
    return result;
  } catch (error) {
    if (isSilence(error)) taken.abandon();
    else taken.discard();
    throw error;
  }
};
