import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import { type Log, silentLog } from "../../../src/base/log.ts";
import { calls, resolves, type ScriptedReply } from "../../../src/llm/scripted-model.ts";
import { cancelThread } from "../../../src/thread/commands.ts";
import type { Engine } from "../../../src/thread/engine.ts";
import type { EmitEvent } from "../../../src/thread/events.ts";
import { runThread } from "../../../src/thread/run.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import {
  type MachineOptions,
  machine,
  movingFiles,
  notesIn,
  startMoving,
} from "../../fixtures/moving-thread.ts";
import { replayed } from "../../fixtures/replay-rig.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const submitter = [resolves({ title: "Move", body: "Moved." })];
const never = () => new AbortController().signal;

let directory: string;
let temporary: TemporaryStore;
let source: GitSource;
let notes: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "uwf-machines-"));
  notes = join(directory, "notes");
  writeFileSync(notes, "");
  temporary = temporaryStore();
  source = gitSource(movingFiles);
});
afterEach(async () => {
  await temporary.dispose();
  source.dispose();
  rmSync(directory, { recursive: true, force: true });
});

const start = () => startMoving(temporary.store, source);
const sh = (command: string, ...more: ScriptedReply[]) => calls("shell_exec", { command }, ...more);
const on = (name: string, developer: readonly ScriptedReply[], more: Partial<MachineOptions> = {}): Engine =>
  machine({ store: temporary.store, root: join(directory, name), script: { developer, submitter }, ...more });
const loseDisk = (name: string) => rmSync(join(directory, name), { recursive: true });
const turnsAt = async (id: Parameters<typeof temporary.store.thread>[0]) => {
  const record = await temporary.store.thread(id);
  return record?.tip ? temporary.store.turns(record.tip) : [];
};
const filesOf = async (captured: string | null | undefined) =>
  (await temporary.store.load("workspace", captured as never)).files.map(({ path }) => path);
/** A signal that fires at the first event of the kind. */
const drainAt = (kind: Parameters<EmitEvent>[0]["kind"]): { drain: AbortSignal; emit: EmitEvent } => {
  const controller = new AbortController();
  return {
    drain: controller.signal,
    emit: (event) => {
      if (event.kind === kind) controller.abort();
    },
  };
};

/** Runs on one machine until so many calls have finished. */
const runFor = async (finished: number, name: string, developer: readonly ScriptedReply[], id: ThreadId) => {
  const controller = new AbortController();
  let seen = 0;
  const emit: EmitEvent = ({ kind }) => {
    if (kind === "tool-finished" && ++seen === finished) controller.abort();
  };
  return runThread(on(name, developer, { emit }), id, { signal: never(), drain: controller.signal });
};

describe("a worker that drains", () => {
  it("lets a running call finish, keeps its files and hands the thread back, due at once", async () => {
    const developer = [
      sh(`echo slow >> ${notes}; sleep 2; echo slow > slow.txt`, calls("list_files", {})),
      sh(`echo next >> ${notes}; cat slow.txt > next.txt`),
      resolves({ done: true }),
    ];
    const { drain, emit } = drainAt("tool-started");
    const { id } = await start();

    const handedBack = await runThread(on("first", developer, { emit }), id, { signal: never(), drain });
    const turns = await turnsAt(id);
    loseDisk("first");
    const record = await runThread(on("second", developer), id, { signal: never() });

    expect(handedBack).toMatchObject({ status: "queued", reason: null, dueAt: 0, begun: [] });
    const ran = turns.flatMap((turn) => (turn.kind === "tool" ? [turn] : []));
    expect(ran.map(({ name, ok }) => [name, ok])).toEqual([["shell_exec", true]]);
    expect(await filesOf(ran[0]?.workspace)).toEqual(["slow.txt"]);
    expect(record.status).toBe("completed");
    expect(Object.fromEntries(notesIn(notes))).toEqual({ slow: 1, next: 1 });
    const { steps } = await temporary.store.history(record.head);
    expect(await filesOf(steps[0]?.step.workspace)).toEqual(["next.txt", "slow.txt"]);
  });

  it("lets a model call finish and keeps the reply", async () => {
    const controller = new AbortController();
    const developer = [sh(`echo once >> ${notes}; echo 1 > once.txt`), resolves({ done: true })];
    const asked: string[] = [];
    const point = async (name: string) => {
      if (name !== "ask") return;
      asked.push(name);
      controller.abort();
    };
    const { id } = await start();

    const options = { signal: never(), drain: controller.signal };
    const handedBack = await runThread(on("first", developer, { point }), id, options);
    const turns = await turnsAt(id);
    const record = await runThread(on("second", developer), id, { signal: never() });

    expect([handedBack.status, turns.map(({ kind }) => kind)]).toEqual(["queued", ["message", "reply"]]);
    expect([record.status, asked.length, notesIn(notes).get("once")]).toEqual(["completed", 1, 1]);
  });

  it("hands a thread back between two steps", async () => {
    const developer = [sh("echo 1 > one.txt"), resolves({ done: true })];
    const { drain, emit } = drainAt("step-finished");
    const { id } = await start();

    const handedBack = await runThread(on("first", developer, { emit }), id, { signal: never(), drain });
    loseDisk("first");
    const record = await runThread(on("second", []), id, { signal: never() });

    expect(handedBack).toMatchObject({ status: "queued", tip: null, dueAt: 0 });
    expect(record.status).toBe("completed");
    const { steps } = await temporary.store.history(record.head);
    expect(await filesOf(steps[1]?.step.workspace)).toEqual(["one.txt"]);
  });
});

describe("a thread that moves", () => {
  it("tells a role in the middle of its work, once, what is not there any more", async () => {
    const developer = [sh("echo 1 > one.txt"), sh("echo 2 > two.txt"), sh("ls"), resolves({ done: true })];
    const { id } = await start();
    await runFor(1, "first", developer, id);
    await runFor(1, "second", developer, id);

    const record = await runThread(on("second", developer), id, { signal: never() });

    const { steps } = await temporary.store.history(record.head);
    const turns = await temporary.store.turns(steps[0]?.step.turns as never);
    const told = turns.filter((turn) => turn.kind === "message" && turn.text.includes("another machine"));
    expect(told).toHaveLength(1);
  });

  it("finds its files when it comes back to a machine that it had left in another state", async () => {
    const developer = [
      sh("echo 1 > one.txt"),
      sh("echo 2 > two.txt"),
      sh("rm two.txt"),
      sh("ls *.txt; test ! -e two.txt && echo 3 > three.txt"),
      resolves({ done: true }),
    ];
    const { id } = await start();
    await runFor(2, "first", developer, id);
    // The second machine's state is the first's of an earlier turn.
    await runFor(1, "second", developer, id);

    const record = await runThread(on("first", developer), id, { signal: never() });

    const { steps } = await temporary.store.history(record.head);
    expect(await filesOf(steps[0]?.step.workspace)).toEqual(["one.txt", "three.txt"]);
  });

  it("keeps a directory, ignored files too, while it stays on its machine", async () => {
    const developer = [sh("echo 1 > kept.log"), sh("cat kept.log > seen.txt"), resolves({ done: true })];
    const { id } = await start();
    await runFor(1, "first", developer, id);

    const record = await runThread(on("first", developer), id, { signal: never() });

    const { steps } = await temporary.store.history(record.head);
    const { files } = await temporary.store.load("workspace", steps[0]?.step.workspace as never);
    const [seen] = files;
    expect((await temporary.store.load("text", seen?.content as never)).text).toBe("1\n");
  });

  it("is cancelled on a machine that it has left with the files of the other one", async () => {
    const developer = [sh("echo 1 > one.txt"), sh("echo 2 > two.txt"), resolves({ done: true })];
    const { id } = await start();
    await runFor(1, "first", developer, id);
    await runFor(1, "second", developer, id);

    const { head } = await cancelThread(on("first", developer), id);

    const { end } = await temporary.store.history(head);
    expect(await filesOf(end?.workspace)).toEqual(["one.txt", "two.txt"]);
  });
});

describe("a turn whose files cannot be kept", () => {
  it("is stored without them, told once in the log, and kept again when that has passed", async () => {
    const developer = [
      sh("truncate -s 51M big.bin"),
      sh("echo 1 > one.txt"),
      sh("rm big.bin"),
      resolves({ done: true }),
    ];
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (_fields, message) => void warnings.push(message) };
    const { id } = await start();

    const record = await runThread(on("first", developer, { log }), id, { signal: never() });

    expect(record.status).toBe("completed");
    const { steps } = await temporary.store.history(record.head);
    const turns = await temporary.store.turns(steps[0]?.step.turns as never);
    const kept = turns.flatMap((turn) => (turn.kind === "tool" ? [turn.workspace !== undefined] : []));
    expect(kept).toEqual([false, false, true]);
    expect(warnings).toEqual(["cannot keep a turn's files"]);
  });

  it("is played again without them where the thread went on without them elsewhere", async () => {
    const developer = [
      sh("echo 0 > zero.txt"),
      sh("truncate -s 51M big.bin; echo 1 > one.txt"),
      sh("ls *.txt > seen.txt"),
      resolves({ done: true }),
    ];
    const { id } = await start();
    await runFor(2, "first", developer, id);
    loseDisk("first");

    const record = await runThread(on("second", developer), id, { signal: never() });
    const { drift, remarks } = await replayed(
      { root: join(directory, "second"), store: temporary.store },
      record,
    );

    const { steps } = await temporary.store.history(record.head);
    expect(await filesOf(steps[0]?.step.workspace)).toEqual(["seen.txt", "zero.txt"]);
    expect(drift).toEqual([]);
    expect(remarks.map(({ what }) => what)).toContainEqual(expect.stringMatching(/could not be kept/));
  });

  it("is not captured where one machine has all threads", async () => {
    const developer = [sh("echo 1 > one.txt"), resolves({ done: true })];
    const { id } = await start();

    const record = await runThread(on("first", developer, { captures: "each-step" }), id, {
      signal: never(),
    });

    const { steps } = await temporary.store.history(record.head);
    const turns = await temporary.store.turns(steps[0]?.step.turns as never);
    expect(turns.some((turn) => turn.kind === "tool" && "workspace" in turn)).toBe(false);
    expect(existsSync(join(directory, "first/workspaces", id))).toBe(false);
  });
});
