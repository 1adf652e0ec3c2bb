import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadId } from "../../../src/base/ids.ts";
import { calls, resolves } from "../../../src/llm/scripted-model.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { runThread } from "../../../src/thread/run.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { machine, movingFiles, movingScript, notesIn, startMoving } from "../../fixtures/moving-thread.ts";
import type { MovingWorker } from "../../fixtures/moving-worker.ts";

const program = fileURLToPath(new URL("../../fixtures/moving-worker.ts", import.meta.url));
/** Longer than a lease lasts. */
const STOPPED_MS = 60_000;
const never = () => new AbortController().signal;

/** Two machines on one store; the second one's clock can be ahead, as if the first had stood still for so long. */
let directory: string;
let first: Store;
let second: Store;
let ahead = 0;
let source: GitSource;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "uwf-takeover-"));
  const path = join(directory, "uwf.db");
  ahead = 0;
  first = sqliteStore({ path });
  second = sqliteStore({ path, now: () => Date.now() + ahead });
  source = gitSource(movingFiles);
});
afterEach(async () => {
  await first.close();
  await second.close();
  source.dispose();
  rmSync(directory, { recursive: true, force: true });
});

const root = (name: string) => join(directory, name);

/** One chain with each role once, whose branch is what the developer left; and nothing is damaged. */
const expectOneChain = async (id: ThreadId, { branch }: { branch: string }) => {
  const record = await second.thread(id);
  expect(record).toMatchObject({ status: "completed", tip: null });
  const { steps } = await second.history(record?.head as never);
  expect(steps.map(({ step }) => step.role)).toEqual(["developer", "submitter"]);
  const { tree } = await second.load("workspace", steps[0]?.step.workspace as never);
  expect(source.git("rev-parse", `${branch}^{tree}`)).toBe(tree);
  expect(source.git("rev-list", "--count", `main..${branch}`)).toBe("1");
  for await (const damage of second.verify()) expect.fail(JSON.stringify(damage));
  return steps;
};

describe.skipIf(process.platform !== "linux")("a process that was stopped for longer than its lease", () => {
  const stopAt = async (strikeAt: number, { id, notes }: { id: ThreadId; notes: string }) => {
    const worker: MovingWorker = {
      database: join(directory, "uwf.db"),
      root: root("first"),
      thread: id,
      notes,
      strikeAt,
      signal: "SIGSTOP",
      afterMs: 0,
    };
    const child = spawn(process.execPath, [program, JSON.stringify(worker)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (piece: Buffer) => {
      output += piece;
    });
    const closed = once(child, "close");
    const state = () => readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.[0];
    await expect.poll(state, { timeout: 40_000 }).toBe("T");
    return {
      goOn: async () => {
        child.kill("SIGCONT");
        await closed;
        return output;
      },
    };
  };

  it.each([7, 13, 20, 29, 40, 48, 60])(
    "leaves the thread to the one that took it over, at boundary %i",
    async (boundary) => {
      const notes = join(directory, "notes");
      writeFileSync(notes, "");
      const { id } = await startMoving(first, source);
      const stopped = await stopAt(boundary, { id, notes });
      ahead = STOPPED_MS;

      await runThread(machine({ store: second, root: root("second"), script: movingScript(notes) }), id, {
        signal: never(),
      });
      const [branch = ""] = source
        .git("for-each-ref", "--format=%(refname:short)", "refs/heads/uwf")
        .split("\n");
      const tip = source.git("rev-parse", branch);
      const output = await stopped.goOn();

      expect(output).toMatch(/^(thread-moved|\d+)$/);
      expect(source.git("rev-parse", branch)).toBe(tip);
      const steps = await expectOneChain(id, { branch });
      const turns = await second.turns(steps[0]?.step.turns as never);
      const cutOff = turns.filter((turn) => turn.kind === "tool" && turn.text.includes("call was cut off"));
      const ran = [...notesIn(notes).values()].reduce((sum, count) => sum + count, 0);
      expect(ran).toBeLessThanOrEqual(4 + cutOff.length);
    },
    120_000,
  );
});

describe("a run that stood still while it published", () => {
  const script = {
    developer: [calls("write_file", { path: "b.txt", content: "b\n" }), resolves({ done: true })],
    submitter: [resolves({ title: "Move", body: "Moved." })],
  };
  const place = {
    forge: "github" as const,
    repository: "acme/parser",
    issue: { number: 12, title: "It drops a line", url: null },
    requester: { login: "mona", id: 1 },
    installationId: 17,
  };
  const shared = (): FakeForge => {
    const forge = fakeForge();
    forge.remote = async () => ({ url: source.repository, token: null });
    return forge;
  };
  /** The same forge, whose method waits at its first call until `open` is called. */
  const gated = (forge: FakeForge, method: "botAuthor" | "findPullRequest" | "permission") => {
    let open: () => void = () => undefined;
    let reached: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const waiting = async (...asked: never[]) => {
      reached();
      const answer = await (forge[method] as (...asked: never[]) => Promise<never>)(...asked);
      await gate;
      return answer;
    };
    return { forge: { ...forge, [method]: waiting }, open, arrived };
  };

  it.each(["permission", "botAuthor", "findPullRequest"] as const)(
    "publishes nothing more once another has: it stood still in %s",
    async (method) => {
      const forge = shared();
      const { forge: slow, open, arrived } = gated(forge, method);
      const { id } = await startMoving(first, source, place);
      const stopped = runThread(machine({ store: first, root: root("first"), script, forge: slow }), id, {
        signal: never(),
      });
      await arrived;
      ahead = STOPPED_MS;
      await runThread(machine({ store: second, root: root("second"), script, forge }), id, {
        signal: never(),
      });
      const [pull] = forge.pulls;
      // People have merged it meanwhile: whoever asks now finds none that is open.
      if (pull !== undefined) pull.state = "closed";
      const before = [...forge.called];

      open();
      const outcome = await stopped.then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      );

      expect(["completed", "thread-moved"]).toContain(outcome);
      expect(forge.pulls).toHaveLength(1);
      const wrote = forge.called.slice(before.length).filter((name) => /^(create|update|delete)/.test(name));
      expect(wrote).toEqual([]);
      await expectOneChain(id, { branch: pull?.branch ?? "none" });
    },
    60_000,
  );
});
