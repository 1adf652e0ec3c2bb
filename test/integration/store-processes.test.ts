import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../src/base/ids.ts";
import type { Damage } from "../../src/store/store.ts";
import { threadFixture, threadRecord } from "../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../fixtures/temporary-store.ts";

const script = fileURLToPath(new URL("../fixtures/store-worker.ts", import.meta.url));

type Line = {
  thread?: ThreadId;
  head?: Hash;
  tip?: Hash;
  won?: number;
  lost?: number;
  longestMs?: number;
};

type Worker = {
  process: ChildProcess;
  lines: Line[];
  ended: Promise<{ code: number | null; stderr: string }>;
};

let temporary: TemporaryStore;
let workers: Worker[];
beforeEach(() => {
  temporary = temporaryStore();
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) worker.process.kill("SIGKILL");
  await Promise.all(workers.map((worker) => worker.ended));
  await temporary.dispose();
});

const work = (...args: string[]): Worker => {
  const [what = "", ...rest] = args;
  const child = spawn(process.execPath, [script, what, temporary.path, ...rest]);
  const lines: Line[] = [];
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    stderr += piece;
  });
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line) as Line));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
  const worker = { process: child, lines, ended };
  workers.push(worker);
  return worker;
};

const succeeded = { code: 0, stderr: "" };

const damages = async (): Promise<Damage[]> => {
  const found: Damage[] = [];
  for await (const damage of temporary.store.verify()) found.push(damage);
  return found;
};

const newThread = async (): Promise<ThreadId> => {
  const fixture = threadFixture();
  const record = threadRecord(fixture);
  await temporary.store.createThread(record, fixture.nodes);
  return record.id;
};

describe("several processes at one store", () => {
  it("lets four write at once: no lock error, nothing lost", async () => {
    const count = 150;

    const ends = await Promise.all(
      ["a", "b", "c", "d"].map((name) => work("write", name, String(count)).ended),
    );

    const done = workers.flatMap((worker) => worker.lines).filter((line) => line.thread !== undefined);
    const threads = await temporary.store.threads({ limit: 10_000 });
    expect(ends).toEqual(ends.map(() => succeeded));
    expect(done).toHaveLength(4 * count);
    expect(new Map(threads.map(({ id, head }) => [id, head]))).toEqual(
      new Map(done.map(({ thread, head }) => [thread, head])),
    );
    for (const { head } of threads) expect((await temporary.store.history(head)).steps).toHaveLength(1);
    expect(await damages()).toEqual([]);
  });

  it("lets four create the database at once", async () => {
    await temporary.store.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${temporary.path}${end}`, { force: true });

    const ends = await Promise.all(["a", "b", "c", "d"].map((name) => work("write", name, "1").ended));

    expect(ends).toEqual(ends.map(() => succeeded));
  });

  it("lets exactly one of two win each step of a thread", async () => {
    const count = 100;
    const id = await newThread();

    const ends = await Promise.all(["a", "b"].map((name) => work("advance", name, id, String(count)).ended));

    const won = workers.flatMap((worker) => worker.lines.flatMap((line) => line.won ?? []));
    const record = await temporary.store.thread(id);
    const history = await temporary.store.history(record?.head as Hash);
    expect(ends).toEqual(ends.map(() => succeeded));
    expect(won.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
    expect(history.steps.map(({ output }) => output)).toEqual(
      Array.from({ length: count }, (_, index) => expect.objectContaining({ index })),
    );
    expect(await damages()).toEqual([]);
  });

  it("keeps every stored turn when the writer is killed in the middle", { timeout: 30_000 }, async () => {
    const id = await newThread();
    let before = 0;

    for (const turnsUntilKill of [1, 7, 20, 33, 50]) {
      const worker = work("append", id);
      while (worker.lines.length < turnsUntilKill && worker.process.exitCode === null) await setTimeout(1);
      worker.process.kill("SIGKILL");
      const end = await worker.ended;

      expect(end).toEqual({ code: null, stderr: "" });
      const record = await temporary.store.thread(id);
      const turns = await temporary.store.turns(record?.tip as Hash);
      // The last write may have been done without having been told.
      expect([0, 1]).toContain(turns.length - before - worker.lines.length);
      expect(await damages()).toEqual([]);
      before = turns.length;
    }
  });
});
