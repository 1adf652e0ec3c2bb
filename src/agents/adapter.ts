import type { z } from "zod";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Payload, Usage } from "../store/payload.ts";
import type { History } from "../store/store.ts";

/** Plays one role once and answers its validated output. */
export type RoleFn<T> = (context: ThreadContext) => Promise<T>;

/** Turns a role's system prompt and output schema into the function that plays it. */
export type AdapterFn = <T>(prompt: string, schema: z.ZodType<T>) => RoleFn<T>;

/** Who plays which role: `adapter` unless `overrides` names another for the role. */
export type AdapterBinding = {
  adapter: AdapterFn;
  /** By role; null: none. */
  overrides: Partial<Record<string, AdapterFn>> | null;
};

/** What the role's agent is told about the thread. */
export type ThreadContext = {
  threadId: ThreadId;
  /** How many workflows this one plays a role in, one in the other: 0 for one that nothing called. */
  depth: number;
  /** The `workflow` node. */
  workflow: Hash;
  /** What the thread was given, what its command asked for, where it comes from, and the thread that it plays a role of. */
  start: Pick<History["start"], "asked" | "input" | "source" | "parentThread">;
  /** What the roles before have answered, oldest first. */
  steps: readonly { role: string; output: unknown }[];
  /** The name of the role that works now. */
  role: string;
  /** What is asked of the role now. */
  task: string;
  /** Fires when the role has to stop at once: what it then throws is the signal's reason. */
  signal: AbortSignal;
  /** The turns of the step. */
  journal: Journal;
};

type TurnOf<K extends Turn["kind"]> = Extract<Turn, { kind: K }>;
type Turn = Payload<"turn">;
/** A turn before the journal links it to the one before. */
export type NewTurn = { [K in Turn["kind"]]: Omit<TurnOf<K>, "prev"> }[Turn["kind"]];

/**
 * The turns of one step: stored as they happen, so that another process can go on from the last one.
 * Every write may throw `thread-moved` (another process has the thread) or the signal's reason.
 */
export interface Journal {
  /** Oldest first; what was stored before a crash is already here. */
  readonly turns: readonly NewTurn[];
  /** Stores a turn at the end. */
  append(turn: NewTurn): Promise<void>;
  /** Notes that these tool calls begin: without a result later, they were cut off. */
  begin(callIds: readonly string[]): Promise<void>;
  /**
   * Keeps the files as the call that just ran has left them, and answers their `workspace` node for its turn; null where
   * that is not done at every turn, and for files that cannot be kept.
   */
  capture(): Promise<Hash | null>;
  /** Calls that had begun when the last process ended. */
  readonly cutOff: ReadonlySet<string>;
  /**
   * Which limit of money, tokens or time the step has reached, or reaches with the next call; then the agent answers with what it
   * has. Null: none.
   */
  spent(next?: Usage): string | null;
  /** US dollars that the next call may cost, whatever it is for; null: no limit. */
  room(): number | null;
}
