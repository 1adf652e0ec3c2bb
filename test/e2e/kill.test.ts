import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls, resolves } from "../../src/llm/scripted-model.ts";
import { sqliteStore } from "../../src/store/sqlite-store.ts";
import { type GitSource, gitSource } from "../fixtures/git-source.ts";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { uwfChild } from "../fixtures/uwf-child.ts";
import { developRoles } from "../rigs/develop-script.ts";
import { roleScript } from "../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../rigs/model-server.ts";
import { turnsWithin } from "../rigs/turns-within.ts";

/** Each command leaves its name in a file that is not captured, so that one that ran twice shows. */
const step = (name: string) =>
  calls("shell_exec", { command: `echo ${name} >> .git/ran; echo ${name} > ${name}.txt` });

const script = roleScript({
  preparer: [
    step("one"),
    resolves({
      repoPath: "/workspace",
      defaultBranch: "main",
      conventions: null,
      toolchain: { install: null, test: null, lint: null, format: null },
    }),
  ],
  ...developRoles(
    [
      step("two"),
      calls("read_file", { path: "sum.js" }),
      calls("patch_file", { path: "sum.js", old_text: "a - b", new_text: "a + b" }),
      step("three"),
      calls("shell_exec", { command: "cat .git/ran" }),
    ],
    {
      summary: "sum subtracted.",
      changes: [{ path: "sum.js", what: "adds" }],
      verification: [{ command: "node --test", result: "passed" }],
    },
  ),
  submitter: [resolves({ title: "Add instead of subtracting", body: "It subtracted." })],
});
const REPLIES = 13;
const TITLE = "sum is wrong";

type Trial = { killAt: number; when: "before the reply" | "after the reply"; afterMs: number };

const trials: Trial[] = Array.from({ length: REPLIES }, (_, index) => index + 1).flatMap((killAt) => [
  { killAt, when: "before the reply" as const, afterMs: 0 },
  ...(killAt % 2 === 0 ? [{ killAt, when: "after the reply" as const, afterMs: (killAt * 17) % 110 }] : []),
]);

describe("kill -9", () => {
  let source: GitSource;
  let server: ModelServer;
  let root: string;
  let onRequest: (count: number) => Promise<void> = async () => undefined;

  beforeAll(async () => {
    source = gitSource({ "sum.js": "exports.sum = (a, b) => a - b;\n" });
    root = mkdtempSync(join(tmpdir(), "uwf-kill-"));
    server = await modelServer({
      script: async (request) => {
        await onRequest(server.requests.length);
        return script(request);
      },
    });
  });
  afterAll(async () => {
    await server.close();
    source.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  const run = (args: readonly string[], storage: string) =>
    uwfChild(args, {
      PATH: process.env.PATH ?? "",
      HOME: root,
      UWF_STORAGE_ROOT: storage,
      OPENAI_API_KEY: "sk-of-a-scripted-model",
      OPENAI_BASE_URL: server.url,
      OPENAI_MODEL: "scripted",
    });
  const solve = ["solve", "--repo", "", "--issue", TITLE, "--unsafe-no-sandbox"];
  const solveArgs = () => solve.map((part) => (part === "" ? source.repository : part));
  const branches = () =>
    source.git("for-each-ref", "--format=%(refname:short)", "refs/heads/uwf").split("\n").filter(Boolean);
  const forget = () => {
    for (const branch of branches()) source.git("branch", "--quiet", "-D", branch);
  };

  it("leaves the same branch as an undisturbed run, and runs no finished call twice, wherever it strikes", async () => {
    expect(await run(solveArgs(), join(root, "whole")).ended).toBe(0);
    const tree = source.git("rev-parse", `${branches()[0]}^{tree}`);
    let kills = 0;
    for (const [index, trial] of trials.entries()) {
      forget();
      const storage = join(root, `trial-${index}`);
      const before = server.requests.length;
      const child = run(solveArgs(), storage);
      onRequest = async (count) => {
        if (count - before !== trial.killAt) return;
        const kill = async () => {
          await sleep(trial.afterMs);
          if (child.process.exitCode === null && child.process.kill("SIGKILL")) kills++;
        };
        if (trial.when === "before the reply") await kill();
        else void kill();
      };
      await child.ended;
      onRequest = async () => undefined;

      const [thread] = await threadsIn(storage);
      const again = run(["solve", "--thread", thread?.id ?? "none", "--unsafe-no-sandbox"], storage);

      expect(await again.ended, `${JSON.stringify(trial)}\n${again.output()}`).toBe(0);
      expect(branches(), JSON.stringify(trial)).toHaveLength(1);
      expect(source.git("rev-parse", `${branches()[0]}^{tree}`), JSON.stringify(trial)).toBe(tree);
      expect(source.git("rev-list", "--count", `main..${branches()[0]}`)).toBe("1");
      await expectNoDoubles(storage, thread?.id);
      await expectNoDrift(storage);
    }
    expect(kills).toBeGreaterThan(trials.length / 2);
  }, 400_000);

  const threadsIn = async (storage: string) => {
    const store = sqliteStore({ path: join(storage, "uwf.db") });
    try {
      return (await store.threads({ limit: 10 })).filter(({ title }) => title === TITLE);
    } finally {
      await store.close();
    }
  };

  /** What ran is in the last command's result; only a call that the model was told was cut off may stand there twice. */
  const expectNoDoubles = async (storage: string, id: string | undefined) => {
    const store = sqliteStore({ path: join(storage, "uwf.db") });
    try {
      const thread = await store.thread(id as never);
      const { steps } = await store.history(thread?.head as never);
      expect(steps.map(({ step }) => step.role)).toEqual(["preparer", "developer", "submitter"]);
      const turns = (await turnsWithin(store, steps)).flat();
      const cutOff = turns.filter(
        (turn) => turn.kind === "tool" && turn.text.includes("call was cut off"),
      ).length;
      const ran =
        turns
          .flatMap((turn) => (turn.kind === "tool" && /^one$/m.test(turn.text) ? [turn.text] : []))
          .at(-1) ?? "";
      const names = ran.split("\n").filter((line) => /^(one|two|three)$/.test(line));
      expect(new Set(names)).toEqual(new Set(["one", "two", "three"]));
      expect(names.length - 3).toBeLessThanOrEqual(cutOff);
      const damage = [];
      for await (const problem of store.verify()) damage.push(problem);
      expect(damage).toEqual([]);
    } finally {
      await store.close();
    }
  };
});
