import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { cancelThread, resumeThread } from "../../../src/thread/commands.ts";
import { chainOf, chainSpent } from "../../../src/thread/spent-below.ts";
import { type CommandBench, commandBench, ONE_ROLE } from "../../fixtures/command-bench.ts";

let bench: CommandBench;
beforeAll(async () => {
  bench = await commandBench();
});
afterAll(() => bench.dispose());

const KIT = join(import.meta.dirname, "../../fixtures/kit-program-worker.ts");

/** Says on its trace that it has used so much. */
const used = (inputTokens: number, costUsd: number | null): string =>
  `echo '{"uwf":{"usage":{"inputTokens":${inputTokens},"outputTokens":1,"costUsd":${costUsd}}}}' >>"$UWF_TRACE_FILE"`;

const start = async (script: string): Promise<ThreadRecord> => {
  const command = await bench.program(`p${Math.random()}`, `#!/bin/sh\n${script}\n`);
  return bench.startWith({ command, protocol: "meta" }, { yaml: ONE_ROLE });
};
const spentBy = async (record: ThreadRecord) => chainSpent(await chainOf(bench.store, record));

describe("what a program says on its trace that it has used", () => {
  it("is its step's, and not kept as a text", async () => {
    const thread = await bench.run(
      await start(`${used(10, 0.25)}; ${used(20, null)}; echo '{"status":"done"}'`),
    );

    const [record] = (await bench.store.history(thread.head)).steps;
    expect(record?.step.usage).toEqual({
      ...{ inputTokens: 30, cachedInputTokens: 0, outputTokens: 2, costUsd: 0.25 },
    });
    expect(record?.step.refs).toEqual([]);
  });

  it("is counted where it fails", async () => {
    const thread = await bench.run(await start(`${used(10, 0.25)}; exit 1`));

    expect(thread.status).toBe("failed");
    expect(await spentBy(thread)).toMatchObject({ inputTokens: 10, outputTokens: 1, costUsd: 0.25 });
  });

  it("is counted where its answer does not fit", async () => {
    const thread = await bench.run(await start(`${used(10, 0.25)}; echo '{"state":3}'`));

    expect(thread.status).toBe("failed");
    expect(await spentBy(thread)).toMatchObject({ costUsd: 0.25 });
  });

  it.each(["cancelled", "stopped"])("is counted where it is %s in the middle", async (how) => {
    const stop = new AbortController();
    const thread = await start(`${used(10, 0.25)}; echo working >&2; sleep 60`);
    const running = bench.run(thread, stop.signal);
    const isAtWork = () =>
      bench.events.some((event) => event.kind === "tool-output" && event.thread === thread.id);
    await expect.poll(isAtWork, { timeout: 20_000 }).toBe(true);

    if (how === "cancelled") await cancelThread(bench.engine, thread.id);
    else stop.abort();
    const stopped = await running;

    expect(stopped.status).toBe(how === "cancelled" ? "cancelled" : "queued");
    expect(await spentBy(stopped)).toMatchObject({ costUsd: 0.25 });
  });

  it("is counted beside that of the run after it, which is told that the one before was cut off", async () => {
    const stop = new AbortController();
    const marker = join(bench.root, "was-here");
    const thread = await start(
      `${used(10, 0.25)}
if [ -e ${marker} ]; then uwf thread context "$2" --role "$4" >&2; echo '{"status":"done"}'
else touch ${marker}; echo working >&2; sleep 60; fi`,
    );
    const running = bench.run(thread, stop.signal);
    const said = () =>
      bench.events
        .flatMap((event) => (event.kind === "tool-output" && event.thread === thread.id ? [event.piece] : []))
        .join("");
    await expect.poll(said, { timeout: 20_000 }).toContain("working");
    stop.abort();
    await running;

    const ended = await bench.run(thread);

    expect(ended).toMatchObject({ status: "completed" });
    expect(await spentBy(ended)).toMatchObject({ costUsd: 0.5 });
    expect(said()).toContain("the program was ended in the middle of it");
  });

  it("is told of where it cannot be read", async () => {
    const thread = await bench.run(
      await start(`echo '{"uwf":{"usage":{"tokens":3}}}' >"$UWF_TRACE_FILE"; echo '{"status":"done"}'`),
    );

    const said = bench.events.flatMap((event) =>
      event.kind === "tool-output" && event.thread === thread.id ? [event.piece] : [],
    );
    expect(said.join("")).toMatch(/uwf: line 1 of the trace is no word to uwf/);
  });

  it("is said by the kit for each run, whether its step comes to be or not", async () => {
    const play = async (how: string) =>
      bench.run(await bench.startWith({ command: process.execPath, args: [KIT, how], protocol: "step" }));

    const failed = await play("wrong");
    const corrected = await play("corrected");

    expect([failed.status, corrected.status]).toEqual(["failed", "completed"]);
    expect(await spentBy(failed)).toMatchObject({ inputTokens: 30, costUsd: 1.5 });
    expect(await spentBy(corrected)).toMatchObject({ inputTokens: 30, costUsd: 1.5 });
  });
});

describe("a program that says that it has come to a limit", () => {
  const limited = `echo '{"uwf":{"limit":{"of":"thread","reason":"The budget is spent."}}}' >>"$UWF_TRACE_FILE"`;

  it("pauses its thread, which goes on when a person says so", async () => {
    const marker = join(bench.root, "granted");
    const thread = await start(
      `${used(10, 0.25)}; if [ -e ${marker} ]; then echo '{"status":"done"}'; else ${limited}; exit 1; fi`,
    );

    expect(await bench.run(thread)).toMatchObject({ status: "paused", reason: "The budget is spent." });
    await bench.program("../granted", "");
    await resumeThread(bench.engine, thread.id, null);

    const ended = await bench.run(thread);
    expect(ended).toMatchObject({ status: "completed" });
    expect(await spentBy(ended)).toMatchObject({ costUsd: 0.5 });
  });

  it("pauses it as well where it has answered with a word to a person", async () => {
    const thread = await bench.run(
      await start(`${limited}; echo '{"$status":"$SUSPEND","reason":"Half of it is done."}'`),
    );

    expect(thread).toMatchObject({
      status: "paused",
      reason: "The budget is spent. Half of it is done.",
    });
  });
});
