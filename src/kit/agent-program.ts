import { inputError, messageOf } from "../base/errors.ts";
import { type Hash, isThreadId, type ThreadId } from "../base/ids.ts";
import type { StorePlace } from "../config/store-place.ts";
import { keepYoung } from "../store/keep-young.ts";
import type { Store } from "../store/store.ts";

/** What an agent's program has of the world. */
export type AgentWorld = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Says with which code the process ends. */
  exitCode(code: number): void;
};

export const processWorld = (): AgentWorld => ({
  argv: process.argv.slice(2),
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  exitCode: (code) => {
    process.exitCode = code;
  },
});

/** What a `step` agent is called with. */
export type Called = {
  thread: ThreadId;
  role: string;
  args: readonly string[];
  store: Store;
  place: StorePlace;
};

/**
 * The main of a `step` agent: `<command> <args…> <thread> <role>`. `play` answers the hash of the step that it has stored, which is all
 * that stands on the standard output. What fails is told on the standard error, and the exit code is 1 then.
 */
export const agentProgram = async (
  play: (called: Called) => Promise<string>,
  world: AgentWorld,
): Promise<void> => {
  try {
    const [thread = "", role = ""] = world.argv.slice(-2);
    if (!isThreadId(thread) || role === "")
      throw inputError(
        "usage",
        "an agent is called with a thread and a role: <command> <args…> <thread> <role>",
      );
    const [{ openStore }, { storePlaceOf }] = await Promise.all([
      import("../app.ts"),
      import("../config/store-place.ts"),
    ]);
    const place = await storePlaceOf(world.env);
    const store = await openStore(place);
    const stored = new Set<Hash>();
    const put: Store["put"] = async (nodes) => {
      await store.put(nodes);
      for (const { hash } of nodes) stored.add(hash);
    };
    // Only the step refers to them, which is stored at the end.
    const young = keepYoung(store, {
      hashes: () => stored,
      failed: (error) => world.stderr(`cannot renew what was stored: ${messageOf(error)}\n`),
    });
    try {
      const args = world.argv.slice(0, -2);
      const step = await play({ thread, role, args, store: { ...store, put }, place });
      world.stdout(`${step}\n`);
    } finally {
      await young.close();
      await store.close();
    }
  } catch (error) {
    const { describeError } = await import("../cli/report-error.ts");
    world.stderr(describeError(error, { stack: "hidden" }).text);
    world.exitCode(1);
  }
};
