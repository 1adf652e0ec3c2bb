import { join } from "node:path";
import { expect, it } from "vitest";
import type { Hash } from "../../../src/base/ids.ts";
import { readKept } from "../../../src/designer/agent/kept.ts";
import { turnOf } from "../../../src/designer/agent/turn-output.ts";
import { userTexts } from "../../../src/designer/conversation.ts";
import { addUsage, zeroUsage } from "../../../src/llm/usage.ts";
import type { Usage } from "../../../src/store/payload.ts";
import { sqliteStore } from "../../../src/store/sqlite-store.ts";
import type { Store, ThreadRecord } from "../../../src/store/store.ts";
import { cancelThread, pauseThread, removeThread, resumeThread } from "../../../src/thread/commands.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { GO_ON } from "../../../src/thread/moderator.ts";
import { reachedNodes } from "../../../src/thread/reached-nodes.ts";
import { runThread } from "../../../src/thread/run.ts";
import { readBundledWorkflow } from "../../../src/workflow/bundled.ts";
import { all } from "../../contracts/store/rig.ts";
import { crashingStore } from "../../fixtures/crashing-store.ts";
import { gitSource } from "../../fixtures/git-source.ts";
import { expectNoDriftIn } from "../../fixtures/replay-rig.ts";
import {
  answers,
  faultyFile,
  taskIn,
  triageFile,
  triageNode,
  triageStory,
  triageWords,
} from "../../rigs/designer-story.ts";
import type { ModelScript } from "../../rigs/model-script.ts";
import { door } from "../../rigs/story.ts";
import { type TalkingThread, talkingThread } from "../../rigs/talking-thread.ts";

const [first, ...others] = triageWords;
const never = () => new AbortController().signal;

const whole = async (talking: TalkingThread, options: Parameters<TalkingThread["start"]>[1] = {}) => {
  const id = await talking.start(first, options);
  let record = await talking.run(id);
  for (const words of others) record = await talking.say(id, words);
  return record;
};

const stepsOf = async ({ bench: { store } }: TalkingThread, { head }: Pick<ThreadRecord, "head">) =>
  (await store.history(head)).steps;

/** What the conversation has come to: the newest state that a step has kept. */
const stateOf = async ({ bench: { store } }: TalkingThread, record: ThreadRecord) => {
  const { steps } = await store.history(record.head);
  const last = steps.flatMap(({ output }) => turnOf(output)?.conversation ?? []).at(-1) ?? "";
  return readKept(
    reachedNodes(store, () => [record.head]),
    last,
  );
};

it("holds a conversation to a branch with the file, and leaves the registry and the sessions alone", async () => {
  await using talking = await talkingThread(triageStory);
  const source = gitSource({ "README.md": "# Sums\n" });
  const { bench } = talking;

  const record = await whole(talking, { repository: source.repository });

  expect(record).toMatchObject({ status: "completed", reason: null });
  const steps = await stepsOf(talking, record);
  expect(steps.map(({ step, output }) => [step.role, turnOf(output)?.status])).toEqual([
    ...Array.from({ length: 4 }, () => ["designer", "asked"]),
    ["designer", "completed"],
    ["submitter", undefined],
  ]);
  const branch = steps.at(-1)?.step.published?.branch ?? "";
  expect(source.git("diff", "--name-only", `main..${branch}`)).toBe(".uwf/workflows/triage.yaml");
  expect(source.show(branch, ".uwf/workflows/triage.yaml").toString()).toBe(triageFile);
  expect((await stateOf(talking, record)).designs).toMatchObject([
    { name: "triage", node: await triageNode() },
  ]);
  expect(await bench.store.workflows()).toEqual([]);
  for await (const design of bench.store.allDesigns()) throw new Error(`${design.name} is there`);
  for await (const session of bench.store.allSessions()) throw new Error(`${session.id} is there`);
  await expectNoDriftIn({ root: bench.root, store: bench.store }, {});
  source.dispose();
}, 60_000);

it("tells the person in each turn what was said, asked, offered and written", async () => {
  await using talking = await talkingThread(triageStory);

  const record = await whole(talking);

  const [asked, , , offered, written] = await talking.told(record.id);
  expect(asked).toMatchObject({
    language: "en",
    said: ["What should it tell apart, and when?"],
    questions: [{ question: "Which kinds are there?", options: ["bug", "question"] }, { options: [] }],
    failed: null,
    draft: null,
  });
  expect(offered?.said.join("\n")).toContain("tool gmail:send");
  expect(offered?.alternatives).toMatchObject([
    { title: "Answer only", tradeOffs: ["nobody gets mail"], complexity: "simple" },
    { title: "Configure mail first" },
  ]);
  expect(written?.said).toContain("The checks have 1 finding.");
  expect(written?.draft).toMatchObject({ name: "triage", source: triageFile, findings: [] });
  expect(written?.draft?.graph).toContain("flowchart TD");
});

const heardIn = ({ state }: Awaited<ReturnType<typeof stateOf>>): string[] => userTexts(state);

const usageOf = (steps: Awaited<ReturnType<typeof stepsOf>>): Usage =>
  steps.reduce((sum, { step }) => addUsage(sum, step.usage), zeroUsage());

const modelUsage = async (store: Store, steps: Awaited<ReturnType<typeof stepsOf>>): Promise<number> => {
  const turns = await Promise.all(
    steps.map(({ step }) => (step.turns === null ? [] : store.turns(step.turns))),
  );
  return turns.flat().filter(({ kind }) => kind === "reply").length;
};

it("goes on wherever its process died, hears nothing twice, and counts what every reply has cost", async () => {
  await using talking = await talkingThread(triageStory);
  const { bench, server } = talking;
  const undisturbed = await whole(talking);
  const expected = await stateOf(talking, undisturbed);
  const told = (await talking.told(undisturbed.id)).map(({ said }) => said);
  const asks = server.requests.length;
  let crashes = 0;
  for (let calls = 1; ; calls += 5) {
    const before = server.requests.length;
    const id = await talking.start(first);
    let dyings = 0;
    let record: ThreadRecord | undefined;
    for (const words of triageWords) {
      if (words !== first) await resumeThread(bench.engine, id, words);
      const dying = crashingStore(bench.store, calls);
      const run = runThread(talking.engineOn(dying.store), id, { signal: never() });
      const died = await Promise.race([dying.dead.then(() => true), run.then(() => false)]);
      if (died) {
        dyings++;
        record = await again(talking, id);
      } else record = await run;
    }
    crashes += dyings;
    const steps = await stepsOf(talking, record as ThreadRecord);
    const state = await stateOf(talking, record as ThreadRecord);
    expect(record?.status, `${calls}`).toBe("completed");
    expect(
      state.designs.map(({ node, source }) => ({ node, source })),
      `${calls}`,
    ).toEqual(expected.designs.map(({ node, source }) => ({ node, source })));
    expect(
      (await talking.told(id)).map(({ said }) => said),
      `${calls}`,
    ).toEqual(told);
    expect(heardIn(state), `${calls}`).toEqual(triageWords);
    expect(steps, `${calls}`).toHaveLength(6);
    // A reply that came just before its process died may be paid for once more: never twice counted, never not at all.
    const asked = server.requests.length - before;
    expect(await modelUsage(bench.store, steps), `${calls}`).toBeGreaterThanOrEqual(asked - dyings);
    expect(asked, `${calls}`).toBeLessThanOrEqual(asks + dyings);
    expect(usageOf(steps).costUsd, `${calls}`).toBeGreaterThan(0);
    if (dyings === 0) break;
  }
  expect(crashes).toBeGreaterThan(15);
  const damage = [];
  for await (const problem of bench.store.verify()) damage.push(problem);
  expect(damage).toEqual([]);
}, 300_000);

/** Takes over a thread whose process has died, once its lease is free. */
const again = async (talking: TalkingThread, id: ThreadRecord["id"]): Promise<ThreadRecord> => {
  const { store } = talking.bench;
  const key = `thread/${id}`;
  const holder = await store.leaseHolder(key);
  if (holder !== undefined) await store.release(key, holder);
  const record = await store.thread(id);
  return record?.status === "queued" || record?.status === "running"
    ? talking.run(id)
    : (record as ThreadRecord);
};

it("hears the same words again in the next turn, and once in each wherever its process died", async () => {
  await using talking = await talkingThread(triageStory);
  const { bench } = talking;
  for (let calls = 1, died = true; died; calls += 15) {
    const id = await talking.start(first);
    await talking.run(id);
    await talking.say(id, "Yes");
    await resumeThread(bench.engine, id, "Yes");
    const dying = crashingStore(bench.store, calls);
    const run = runThread(talking.engineOn(dying.store), id, { signal: never() });
    died = await Promise.race([dying.dead.then(() => true), run.then(() => false)]);
    const record = died ? await again(talking, id) : await run;

    expect(record.status, `${calls}`).toBe("completed");
    expect(heardIn(await stateOf(talking, record)), `${calls}`).toEqual([first, "Yes", "Yes"]);
  }
}, 120_000);

it("stops at the thread's budget before it asks the model, and goes on where it was when a person lets it", async () => {
  await using talking = await talkingThread(triageStory);
  const limits = { pauseAfterRounds: 40, budgetUsd: 0.006, budgetTokens: null };
  const id = await talking.start(first, { limits });

  let record = await talking.run(id);
  for (const words of others.slice(0, 3))
    record = record.status === "suspended" ? await talking.say(id, words) : record;
  const asked = talking.server.requests.length;

  expect(record).toMatchObject({ status: "paused", reason: expect.stringContaining("budget of $0.006") });
  await resumeThread(talking.bench.engine, id, null);
  const resumed = await talking.run(id);
  expect(resumed.status).toBe("suspended");
  expect(talking.server.requests.length).toBeGreaterThan(asked);
});

it("hears what is said to a step that stands behind what it was told before, each once", async () => {
  await using talking = await talkingThread(triageStory);
  const limits = { pauseAfterRounds: 40, budgetUsd: 0.006, budgetTokens: null };
  const id = await talking.start(first, { limits });
  const said: string[] = [first];
  let record = await talking.run(id);
  for (const words of others) {
    if (record.status !== "suspended") break;
    said.push(words);
    record = await talking.say(id, words);
  }
  expect(record.status).toBe("paused");

  await resumeThread(talking.bench.engine, id, `${record.note}\n\nMail it to me alone`);
  const resumed = await talking.run(id);

  expect(resumed.status).toBe("suspended");
  expect(heardIn(await stateOf(talking, resumed))).toEqual([...said, "Mail it to me alone"]);
});

it("rests after the reply that is under way, and does not ask for it again", async () => {
  const gate = door();
  const script: ModelScript = async (request) => {
    if (taskIn(request) === "write") await gate.wait();
    return triageStory(request);
  };
  await using talking = await talkingThread(script);
  const id = await talking.start(first);
  await talking.run(id);
  for (const words of others.slice(0, 3)) await talking.say(id, words);
  await resumeThread(talking.bench.engine, id, "alt_1");
  const running = talking.run(id);
  await gate.reached;

  await pauseThread(talking.bench.engine, id);
  await new Promise((resolve) => setTimeout(resolve, 500));
  gate.open();
  const record = await running;
  const asked = talking.server.requests.length;
  expect(record.status).toBe("paused");
  await resumeThread(talking.bench.engine, id, null);
  const resumed = await talking.run(id);

  expect(resumed.status).toBe("completed");
  expect(talking.server.requests.slice(asked).map(taskIn)).toEqual(["write"]);
  const told = await talking.told(id);
  expect(told.at(-1)?.said.filter((text) => text.startsWith("Then this way"))).toHaveLength(1);
});

it("ends the question to the model when it is cancelled", async () => {
  const asked = Promise.withResolvers<void>();
  const script: ModelScript = () => {
    asked.resolve();
    return { fault: "hang" };
  };
  await using talking = await talkingThread(script);
  const id = await talking.start(first);
  const running = talking.run(id);
  await asked.promise;

  await cancelThread(talking.bench.engine, id);

  expect(await running).toMatchObject({ status: "cancelled" });
});

it.each([
  ["a word to go on", "Go on."],
  ["other words", "I want to sort all issues"],
])("says clearly that a model talks nonsense, and goes on with %s", async (_, words) => {
  let nonsense = true;
  const script: ModelScript = (request) =>
    nonsense ? answers({ next: "dance" }, "La la la.") : triageStory(request);
  await using talking = await talkingThread(script);
  const id = await talking.start(first);

  const record = await talking.run(id);
  nonsense = false;
  const [step] = await stepsOf(talking, record);
  expect(record.status).toBe("suspended");
  expect(step?.output).toMatchObject({ status: "failed" });
  expect((await talking.told(id))[0]?.failed).toContain("The model gave no usable answer");
  const resumed = await talking.say(id, words);

  expect(resumed.status).toBe("suspended");
  expect((await talking.told(id)).at(-1)).toMatchObject({ failed: null, questions: [{}, {}] });
  const { state } = await stateOf(talking, resumed);
  expect(state.conversations.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual(
    words === "Go on." ? [first] : [first, words],
  );
});

it("says clearly that its time is over, and goes on with the next comment", async () => {
  let isSlow = true;
  const script: ModelScript = (request) => (isSlow ? { fault: "hang" } : triageStory(request));
  await using talking = await talkingThread(script);
  const workflow = (await readBundledWorkflow("design")) ?? "";
  const short = workflow
    .replace("name: design", "name: hurried")
    .replace("    schema:\n", "    limits: { timeoutMinutes: 0.02 }\n    schema:\n");
  const { id } = await talking.bench.start(short, { input: first });

  const record = await talking.run(id, { waitOutMs: 3_600_000 });
  isSlow = false;

  expect(record).toMatchObject({ status: "suspended", reason: expect.stringContaining("what went wrong") });
  expect(await talking.told(id)).toMatchObject([{ failed: "There was no answer within 2 seconds." }]);
  expect(await talking.say(id, GO_ON)).toMatchObject({ status: "suspended" });
  expect((await talking.told(id)).at(-1)).toMatchObject({ failed: null, questions: [{}, {}] });
});

it("waits out a provider that cannot be reached, as other threads do", async () => {
  let isAway = true;
  const script: ModelScript = (request) => (isAway ? { fault: "status", status: 503 } : triageStory(request));
  await using talking = await talkingThread(script);
  const id = await talking.start(first);

  const waiting = await talking.run(id, { waitOutMs: 3_600_000 });
  expect(waiting).toMatchObject({
    status: "queued",
    reason: expect.stringContaining("It will be tried again"),
  });
  isAway = false;
  const record = await talking.run(id);

  expect(record.status).toBe("suspended");
  expect(await talking.told(id)).toMatchObject([{ failed: null }]);
});

it("goes on from an earlier turn in a fork, with other words, and the first conversation stays as it is", async () => {
  await using talking = await talkingThread(triageStory);
  const record = await whole(talking);
  const { bench } = talking;

  const fork = await forkThread(bench.engine, record.id, { at: "2", note: "Yes, exactly" });
  const forked = await talking.run(fork.id);

  const { state } = await stateOf(talking, forked);
  expect(forked.status).toBe("suspended");
  expect(state.conversations.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual([
    first,
    triageWords[1],
    "Yes, exactly",
  ]);
  expect((await stateOf(talking, record)).state.stage).toBe("completed");
});

it("is collected with its thread, and kept while that is there", async () => {
  await using talking = await talkingThread(triageStory);
  const { bench } = talking;
  const record = await whole(talking);
  const [kept] = (await stepsOf(talking, record)).flatMap(({ output }) => turnOf(output)?.conversation ?? []);
  const later = sqliteStore({ path: join(bench.root, "uwf.db"), now: () => Date.now() + 3_600_000 });
  await later.collect({ graceMs: 60_000 });
  expect(await later.get(kept as Hash)).toBeDefined();

  await removeThread(bench.engine, record.id);
  await later.collect({ graceMs: 60_000 });

  expect(await all(later.allNodes())).toEqual([]);
  await later.close();
});

it("does not read a conversation that its thread does not reach, whoever names it", async () => {
  await using talking = await talkingThread(triageStory);
  const { store } = talking.bench;
  const other = await whole(talking);
  const own = await talking.start(first);
  const [last] = (await stepsOf(talking, other)).flatMap(({ output }) => turnOf(output)?.conversation ?? []);
  const start = (await store.thread(own))?.start;

  const reading = readKept(
    reachedNodes(store, () => (start === undefined ? [] : [start])),
    last ?? "",
  );

  await expect(reading).rejects.toMatchObject({ code: "conversation-lost" });
});

it("asks before it takes the name of a workflow that the repository has", async () => {
  const source = gitSource({ ".uwf/workflows/triage.yaml": faultyFile });
  await using talking = await talkingThread(triageStory);
  const id = await talking.start(first, { repository: source.repository });
  await talking.run(id);

  await talking.say(id, triageWords[1]);

  const turn = (await talking.told(id)).at(-1);
  expect(turn?.questions).toMatchObject([{ options: ["Replace triage", "Another name"] }]);
  source.dispose();
});
