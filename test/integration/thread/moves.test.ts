import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import type { Payload } from "../../../src/store/payload.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import type { Store, ThreadRecord } from "../../../src/store/store.ts";
import { runThread } from "../../../src/thread/run.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { machine, movingFiles, movingScript, notesIn, startMoving } from "../../fixtures/moving-thread.ts";
import type { MovingWorker } from "../../fixtures/moving-worker.ts";

const program = fileURLToPath(new URL("../../fixtures/moving-worker.ts", import.meta.url));
const NAMES = ["one", "three", "four", "five"];
const AT_ONCE = 2;

type Trial = { strikeAt: number; afterMs: number };

/** One store and source, and a directory that stands for each machine's disk. */
type World = { directory: string; database: string; store: Store; source: GitSource; notes: string };

describe("a thread whose machine is lost with its disk", () => {
  let directory: string;
  let worlds = 0;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "uwf-moves-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const world = (): World => {
    const own = join(directory, String(++worlds));
    mkdirSync(own);
    const database = join(own, "uwf.db");
    const notes = join(own, "notes");
    writeFileSync(notes, "");
    return {
      directory: own,
      database,
      notes,
      store: sqliteStore({ path: database }),
      source: gitSource(movingFiles),
    };
  };
  const end = async ({ store, source }: World) => {
    await store.close();
    source.dispose();
  };

  /** Runs the thread on a machine in a process of its own; answers what it printed, and the signal that ended it. */
  const runInProcess = async (
    { database, notes, directory: own }: World,
    { thread, ...trial }: Trial & { thread: ThreadId },
  ): Promise<{ output: string; signal: string | null }> => {
    const worker: MovingWorker = {
      database,
      root: join(own, "first"),
      notes,
      thread,
      signal: "SIGKILL",
      ...trial,
    };
    const child = spawn(process.execPath, [program, JSON.stringify(worker)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (piece: Buffer) => {
      output += piece;
    });
    const [, signal] = (await once(child, "close")) as [number | null, string | null];
    return { output, signal };
  };

  /** Loses the first machine's disk, and lets another go on to the end. */
  const goOnElsewhere = (
    { store, directory: own, notes }: World,
    thread: ThreadId,
  ): Promise<ThreadRecord> => {
    rmSync(join(own, "first"), { recursive: true, force: true });
    const second = machine({ store, root: join(own, "second"), script: movingScript(notes) });
    return runThread(second, thread, { signal: new AbortController().signal });
  };

  const turnsOf = async ({ store }: World, { head }: ThreadRecord): Promise<Payload<"turn">[]> => {
    const { steps } = await store.history(head);
    return (
      await Promise.all(steps.map(({ step }) => (step.turns === null ? [] : store.turns(step.turns))))
    ).flat();
  };
  const treesOf = async ({ store, source }: World, { head }: ThreadRecord): Promise<string[]> => {
    const { steps } = await store.history(head);
    const [developed] = steps;
    const captured = await store.load("workspace", developed?.step.workspace as never);
    const branches = source.git("for-each-ref", "--format=%(refname:short)", "refs/heads/uwf").split("\n");
    return [captured.tree, ...branches.map((branch) => source.git("rev-parse", `${branch}^{tree}`))];
  };
  const commandName = (turns: readonly Payload<"turn">[], callId: string): string | undefined =>
    turns
      .flatMap((turn) => (turn.kind === "reply" ? turn.toolCalls : []))
      .flatMap(({ id, arguments: args }) => (id === callId ? [/echo (\w+) >>/.exec(args)?.[1]] : []))[0];

  const disturb = async (trial: Trial, { trees }: { trees: string[] }): Promise<"killed" | "ended"> => {
    const here = world();
    const { store, notes, source } = here;
    const { id } = await startMoving(store, source);
    const { signal } = await runInProcess(here, { ...trial, thread: id });
    const left = await store.thread(id);
    const before = left?.tip ? await store.turns(left.tip) : [];
    if (left?.status === "completed") {
      await end(here);
      return "ended";
    }

    const record = await goOnElsewhere(here, id);

    const where = JSON.stringify(trial);
    expect(signal, where).toBe("SIGKILL");
    expect(record, where).toMatchObject({ status: "completed", reason: null });
    expect(await treesOf(here, record), where).toEqual(trees);
    const turns = await turnsOf(here, record);
    const stored = turns.map((turn) => JSON.stringify(turn));
    for (const turn of before) expect(stored, where).toContain(JSON.stringify(turn));
    const cutOff = turns.flatMap((turn) =>
      turn.kind === "tool" && turn.text.includes("call was cut off") ? [commandName(turns, turn.callId)] : [],
    );
    const ran = notesIn(notes);
    for (const name of NAMES) {
      const allowed = 1 + cutOff.filter((each) => each === name).length;
      expect(ran.get(name), `${where}: ${name}`).toBeGreaterThanOrEqual(1);
      expect(ran.get(name), `${where}: ${name}`).toBeLessThanOrEqual(allowed);
    }
    for await (const damage of store.verify()) expect.fail(`${where}: ${JSON.stringify(damage)}`);
    expect(existsSync(join(here.directory, "second/workspaces", id)), where).toBe(false);
    await end(here);
    return "killed";
  };

  it("goes on elsewhere with the files of every finished call, wherever the machine was killed", async () => {
    const whole = world();
    const { id } = await startMoving(whole.store, whole.source);
    const { output } = await runInProcess(whole, { strikeAt: 0, afterMs: 0, thread: id });
    const undisturbed = await whole.store.thread(id);
    if (undisturbed === undefined) throw new Error("the thread is gone");
    const trees = await treesOf(whole, undisturbed);
    await end(whole);
    const boundaries = Number(output);
    // Rounds have about eleven boundaries, so that every third meets each kind of them.
    const trials = Array.from({ length: Math.floor(boundaries / 3) }, (_, index): Trial => {
      const strikeAt = 3 * (index + 1);
      return { strikeAt, afterMs: strikeAt % 12 === 0 ? 7 + ((strikeAt * 13) % 60) : 0 };
    });

    const outcomes: string[] = [];
    const waiting = [...trials];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift())
          outcomes.push(await disturb(trial, { trees }));
      }),
    );

    expect(trees).toHaveLength(2);
    expect(trees[0]).toBe(trees[1]);
    expect(boundaries).toBeGreaterThan(50);
    expect(outcomes.filter((each) => each === "killed").length).toBeGreaterThan(trials.length * 0.8);
  }, 600_000);
});
