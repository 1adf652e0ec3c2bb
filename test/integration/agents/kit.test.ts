import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { type CommandBench, commandBench } from "../../fixtures/command-bench.ts";

let bench: CommandBench;
beforeAll(async () => {
  bench = await commandBench();
});
afterAll(() => bench.dispose());

const PROGRAM = join(import.meta.dirname, "../../fixtures/kit-program-worker.ts");
const play = async (how: string): Promise<ThreadRecord> =>
  bench.run(await bench.startWith({ command: process.execPath, args: [PROGRAM, how], protocol: "step" }));

const stepOf = async ({ head }: ThreadRecord) => {
  const step = (await bench.store.history(head)).steps.at(-1);
  if (step === undefined) throw new Error("no step");
  return { ...step, turns: step.step.turns === null ? [] : await bench.store.turns(step.step.turns) };
};

describe("an agent over the kit", () => {
  it("stores the step with output, turns, usage and what it kept", async () => {
    const thread = await play("right");

    expect(thread).toMatchObject({ status: "completed", reason: null });
    const { output, step, turns } = await stepOf(thread);
    expect(output).toEqual({ status: "done", count: 2 });
    expect(step.usage).toMatchObject({ inputTokens: 10, costUsd: 0.5 });
    expect(turns).toMatchObject([
      { kind: "message", text: expect.stringMatching(/You work\.[\s\S]*Do it\.[\s\S]*frontmatter/) },
      { kind: "reply", model: "kit-program", content: expect.stringContaining("I did it.") },
    ]);
    const texts = await Promise.all(step.refs.map((hash) => bench.store.get(hash)));
    const written = texts.find((node) => node?.type === "step");
    expect(written?.type === "step" ? written.payload.refs : step.refs).toHaveLength(1);
  });

  it("is told what is wrong in the same session, twice at most", async () => {
    const thread = await play("corrected");

    const { output, step, turns } = await stepOf(thread);
    expect(output).toEqual({ status: "done" });
    expect(step.usage).toMatchObject({ inputTokens: 30, costUsd: 1.5 });
    expect(turns.map(({ kind }) => kind)).toEqual([
      "message",
      "reply",
      "message",
      "reply",
      "message",
      "reply",
    ]);
    expect(turns[2]).toMatchObject({ text: expect.stringContaining("There is no YAML frontmatter") });
    expect(turns[4]).toMatchObject({ text: expect.stringContaining("- status: missing, must be a string") });
    const errors = bench.events.flatMap((event) =>
      event.thread === thread.id && event.kind === "tool-output" ? [event.piece] : [],
    );
    expect(errors[0]).toContain("told in session-1: Your answer did not give a valid output:");
  });

  it("may wait for a person", async () => {
    expect(await play("suspended")).toMatchObject({ status: "suspended", reason: "Which one?" });
  });

  it("may write to its standard output before the step's hash", async () => {
    expect(await play("chatty")).toMatchObject({ status: "completed" });
  });

  it.each([
    ["wrong", /kit-program answered without a valid output, 2 corrections included: There is no YAML/],
    ["throws", /failed with exit code 1\. It said last: error: the model is gone/],
  ])("fails its step where its answers are %s", async (how, reason) => {
    const thread = await play(how);

    expect(thread.reason).toMatch(reason);
    expect(thread.status).toBe("failed");
  });

  it.each([
    [["01JD3Q8M5T", "worker"], "an agent is called with a thread and a role"],
    [["01M8083EFEQQ4Z2VPXBBRMJ04X", "worker"], "There is no thread 01M8083EFEQQ4Z2VPXBBRMJ04X"],
  ])("says what is wrong with %j on its standard error, and nothing else", async (args, message) => {
    const { spawnSync } = await import("node:child_process");

    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "right", ...args], {
      env: { PATH: process.env.PATH, HOME: bench.root, UWF_STORAGE_ROOT: bench.root },
      encoding: "utf8",
    });

    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  });
});
