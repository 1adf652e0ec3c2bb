import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Hash, newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { calls, resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { zeroUsage } from "../../../src/llm/usage.ts";
import { type Agent, agentLabel } from "../../../src/store/agent-payload.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { runThread } from "../../../src/thread/run.ts";
import { stepsSpent } from "../../../src/thread/spending.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const workflow = `
version: 1
name: relay
description: One begins, one goes on, one ends.
roles:
  first:
    description: Begins.
    systemPrompt: You begin.
    schema: { type: object, required: [found], properties: { found: { type: string } } }
  second:
    description: Goes on.
    systemPrompt: You go on.
    schema: { type: object, required: [status], properties: { status: { enum: [done] } } }
  third:
    description: Ends.
    systemPrompt: You end.
    schema: { type: object, required: [status], properties: { status: { enum: [done] } } }
moderator:
  - { from: $START, to: first }
  - { from: first, to: second, prompt: "Use {{ found }}." }
  - { from: second, to: third, prompt: "End it." }
  - { from: third, to: $END }
`;

const never = () => new AbortController().signal;
const look = calls("shell_exec", { command: "ls; cat a.txt" });
const done = resolves({ status: "done" });

let source: GitSource;
let bench: ThreadBench;
beforeEach(() => {
  source = gitSource({ "a.txt": "from the repository\n" });
});
afterEach(async () => {
  await bench.dispose();
  source.dispose();
});

/** A thread that has run to its end; `after` is what the model says to whatever is run then. */
const completed = async (...after: Parameters<typeof scriptedModel>[0]) => {
  const model = scriptedModel([
    calls("shell_exec", { command: "echo from the first step > a.txt" }),
    resolves({ found: "a.txt" }),
    calls("shell_exec", { command: "echo from the second step > a.txt; echo more > b.txt" }),
    done,
    done,
    ...after,
  ]);
  bench = await threadBench(model);
  const { id } = await bench.start(workflow, { repository: source.repository, input: "Relay it." });
  const origin = await runThread(bench.engine, id, { signal: never() });
  expect(origin.status).toBe("completed");
  return { model, origin, run: (thread: ThreadId) => runThread(bench.engine, thread, { signal: never() }) };
};

const allNodes = async (): Promise<Node[]> => {
  const nodes: Node[] = [];
  for await (const node of bench.store.allNodes()) nodes.push(node);
  return nodes;
};

const damage = async () => {
  const found = [];
  for await (const each of bench.store.verify()) found.push(each);
  return found;
};

const fork = (id: ThreadId, options: Partial<Parameters<typeof forkThread>[2]> = {}) =>
  forkThread(bench.engine, id, { at: "1", note: null, ...options });

describe("forkThread", () => {
  it("shares the chain up to the step, by hash, and stores nothing but a start of its own", async () => {
    const { origin } = await completed();
    const before = await allNodes();

    const forked = await fork(origin.id, { at: "2" });

    const history = await bench.store.history(origin.head);
    const shared = await bench.store.history(forked.head);
    expect(forked.id).not.toBe(origin.id);
    expect(forked).toMatchObject({ status: "queued", head: forked.start, tip: null });
    expect(shared.steps).toEqual(history.steps.slice(0, 2));
    expect(shared).toMatchObject({ shared: 2, end: null });
    expect(shared.start).toEqual({
      ...history.start,
      follows: history.steps[1]?.hash,
      createdAt: forked.createdAt,
    });
    const hashes = new Set(before.map(({ hash }) => hash));
    expect((await allNodes()).filter(({ hash }) => !hashes.has(hash)).map(({ hash }) => hash)).toEqual([
      forked.start,
    ]);
    expect(await bench.store.thread(forked.id)).toEqual(forked);
    expect(await bench.store.links(forked.id)).toEqual({ fork: origin.id });
  });

  it("pins other agents, and another model for those that have one", async () => {
    const { origin, run } = await completed(done, done);
    const second: Agent = { adapter: "react", name: "other", model: "a", modelName: "model-a" };

    const forked = await fork(origin.id, {
      agents: { byRole: { second }, nodes: [] },
      model: { model: "b", modelName: "model-b" },
    });
    const ended = await run(forked.id);

    const { steps, start } = await bench.store.history(ended.head);
    const agents = await bench.store.loadAll(
      "agent",
      steps.map(({ step }) => step.agent),
    );
    expect(agents.map((agent) => [agent.name, agentLabel(agent)])).toEqual([
      ["builtin", "scripted"],
      ["other", "model-a"],
      ["builtin", "model-b"],
    ]);
    expect(Object.keys(start.agents)).toEqual(["first", "second", "third"]);
    expect(await damage()).toEqual([]);
  });

  it("gives another model to the agents of a workflow that plays a role, too", async () => {
    const { origin } = await completed();
    const inner = makeNode("agent", { adapter: "react", name: "builtin", model: "x", modelName: "model-x" });
    const program = makeNode("agent", {
      ...{ adapter: "command", name: "program", command: "program", args: [], env: [], timeoutSeconds: 1 },
      ...{ protocol: "meta", preset: null, sandbox: "thread", extract: null },
    });
    const { start } = await bench.store.history(origin.head);
    const agents = { inner: inner.hash, program: program.hash };
    const second: Agent = { adapter: "workflow", name: "relay", workflow: start.workflow, agents };
    const child = await fork(origin.id, { agents: { byRole: { second }, nodes: [inner, program] } });

    const forked = await fork(child.id, { model: { model: "b", modelName: "model-b" } });

    const bound = await bench.store.load(
      "agent",
      (await bench.store.history(forked.head)).start.agents.second as Hash,
    );
    if (bound.adapter !== "workflow") throw new Error("not bound to a workflow");
    expect(bound.agents.program).toBe(program.hash);
    expect(await bench.store.load("agent", bound.agents.inner as Hash)).toMatchObject({
      modelName: "model-b",
    });
  });

  it("refuses an agent for a role that there is not, and names those that there are", async () => {
    const { origin } = await completed();
    const secnod: Agent = { adapter: "react", name: "other", model: "a", modelName: "model-a" };

    await expect(fork(origin.id, { agents: { byRole: { secnod }, nodes: [] } })).rejects.toMatchObject({
      code: "role-unknown",
      remedy: "fix-input",
      message: expect.stringContaining('"secnod"'),
      hint: "Its roles are: first, second, third.",
    });
    expect(await bench.store.threads({ limit: 10 })).toHaveLength(1);
  });

  it("goes on with the files as that step left them, and with the note, and leaves the other thread alone", async () => {
    const { model, origin, run } = await completed(look, done, look, done);

    const forked = await fork(origin.id, { note: "Do it in two lines." });
    const ended = await run(forked.id);

    const { steps } = await bench.store.history(ended.head);
    expect(ended.status).toBe("completed");
    expect(steps.map(({ step }) => [step.role, step.task])).toEqual([
      ["first", "Relay it."],
      ["second", "Use a.txt.\n\nA person who may decide adds:\n\nDo it in two lines."],
      ["third", "End it."],
    ]);
    const [seen] = model.asked.slice(6, 7).map((messages) => messages.at(-1)?.content);
    expect(seen).toContain("from the first step");
    expect(seen).not.toContain("b.txt");
    expect(await bench.store.thread(origin.id)).toEqual(origin);
    model.assertDone();
  });

  it.each([
    ["a number", (_hash: string) => "2"],
    ["a number as people write it on issues", (_hash: string) => "#2"],
    ["the start of the step's hash, in any case", (hash: string) => hash.slice(0, 9).toLowerCase()],
  ])("knows a step by %s", async (_what, name) => {
    const { origin } = await completed();
    const hash = (await bench.store.history(origin.head)).steps[1]?.hash ?? "";

    const { start } = await fork(origin.id, { at: name(hash) });

    expect((await bench.store.load("thread-start", start)).follows).toBe(hash);
  });

  it("is one thread when it is asked for again with the same key, however it stands by then", async () => {
    const { origin, run } = await completed(done, done);
    const key = { name: "delivery-1 fork", at: 1_700_000_000_000 };

    const first = await fork(origin.id, { key });
    const ended = await run(first.id);
    const again = await fork(origin.id, { key, at: "3" });

    expect(again).toEqual(ended);
    expect((await bench.store.threads({ limit: 10 })).map(({ id }) => id).sort()).toEqual(
      [origin.id, first.id].sort(),
    );
    expect((await fork(origin.id)).id).not.toBe(first.id);
  });

  it("can be forked again, and goes on by itself each time", async () => {
    const { origin, run } = await completed(done, done, look, done, done);
    const child = await run((await fork(origin.id)).id);

    const grandchild = await run((await fork(child.id, { at: "1", note: "Again." })).id);

    const [ours, theirs] = await Promise.all([
      bench.store.history(grandchild.head),
      bench.store.history(child.head),
    ]);
    expect(ours.steps[0]).toEqual(theirs.steps[0]);
    expect([theirs.shared, ours.shared]).toEqual([1, 1]);
    expect(ours.steps[1]?.hash).not.toBe(theirs.steps[1]?.hash);
    expect(await bench.store.link(grandchild.id, "fork")).toBe(child.id);
  });

  it("can be forked at a step of its own", async () => {
    const { origin, run } = await completed(done, done, done);
    const child = await run((await fork(origin.id)).id);

    const grandchild = await run((await fork(child.id, { at: "2" })).id);

    const theirs = await bench.store.history(child.head);
    const ours = await bench.store.history(grandchild.head);
    expect(ours.shared).toBe(2);
    expect(ours.steps.slice(0, 2)).toEqual(theirs.steps.slice(0, 2));
    expect(ours.steps[2]?.step).toMatchObject({ role: "third", start: grandchild.start, prev: null });
    expect(await damage()).toEqual([]);
  });

  it("has spent nothing with the steps that it shares", async () => {
    const { origin } = await completed();

    const forked = await fork(origin.id, { at: "2" });

    const [ours, theirs] = await Promise.all([forked, origin].map(({ head }) => bench.store.history(head)));
    expect(theirs && stepsSpent(theirs).outputTokens).toBeGreaterThan(0);
    expect(ours && stepsSpent(ours)).toEqual(zeroUsage());
  });

  it("lets the last role answer again when a note comes with its step", async () => {
    const { origin, run } = await completed(done);

    const ended = await run((await fork(origin.id, { at: "3", note: "Say more." })).id);

    const { steps } = await bench.store.history(ended.head);
    expect(ended.status).toBe("completed");
    expect(steps.map(({ step }) => step.role)).toEqual(["first", "second", "third", "third"]);
    expect(steps[3]?.step.task).toContain("Say more.");
  });

  it("has nothing left to do after the last step without a note", async () => {
    const { origin, run } = await completed();

    const ended = await run((await fork(origin.id, { at: "3" })).id);

    expect(ended.status).toBe("completed");
    expect((await bench.store.history(ended.head)).steps).toHaveLength(3);
  });

  it("outlives the thread that it was forked from", async () => {
    const { origin, run } = await completed(look, done, done);
    const forked = await fork(origin.id);

    await bench.store.removeThread(origin.id);

    expect((await run(forked.id)).status).toBe("completed");
  });

  it("runs a role that asked for a person again, with the note for an answer", async () => {
    const model = scriptedModel([
      resolves({ found: "x" }),
      resolves({ $status: "$SUSPEND", reason: "Which one?" }),
      done,
      done,
      done,
      done,
    ]);
    bench = await threadBench(model);
    const { id } = await bench.start(workflow);
    await runThread(bench.engine, id, { signal: never() });
    await resumeThread(bench.engine, id, "The blue one.");
    await runThread(bench.engine, id, { signal: never() });

    const forked = await fork(id, { at: "2", note: "The red one." });
    const ended = await runThread(bench.engine, forked.id, { signal: never() });

    const { steps } = await bench.store.history(ended.head);
    expect(steps[2]?.step).toMatchObject({ role: "second", task: expect.stringContaining("The red one.") });
    expect(steps[2]?.step.task).not.toContain("The blue one.");
  });

  it.each([
    ["9", "1 (first), 2 (second), 3 (third)"],
    ["0", "1 (first), 2 (second), 3 (third)"],
    ["ZZZZZZZZZ", "1 (first)"],
    ["", "1 (first)"],
  ])("refuses the step %j, and names those that there are", async (at, hint) => {
    const { origin } = await completed();

    await expect(fork(origin.id, { at })).rejects.toMatchObject({
      code: "step-unknown",
      remedy: "fix-input",
      message: expect.stringContaining(origin.id),
      hint: expect.stringContaining(hint),
    });
    expect(await bench.store.threads({ limit: 10 })).toHaveLength(1);
  });

  it("refuses a thread that there is not, and one without a finished step", async () => {
    bench = await threadBench(scriptedModel([]));
    const { id } = await bench.start(workflow);

    await expect(fork(newThreadId())).rejects.toMatchObject({ code: "thread-unknown", remedy: "fix-input" });
    await expect(fork(id)).rejects.toMatchObject({ code: "step-unknown", hint: "No step has finished yet." });
  });
});
