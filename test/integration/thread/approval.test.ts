import { afterEach, describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { resolves, scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { approvalIn, approveThread, requireNoApproval } from "../../../src/thread/approval.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { forkThread } from "../../../src/thread/fork.ts";
import { runThread } from "../../../src/thread/run.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const workflow = `
version: 1
name: planned
description: A plan, and the work.
roles:
  planner:
    description: Plans.
    systemPrompt: You plan.
    approval: required
    schema: { type: object, required: [plan], properties: { plan: { type: string } } }
  worker:
    description: Works.
    systemPrompt: You work.
    schema: { type: object, required: [status], properties: { status: { enum: [done] } } }
moderator:
  - { from: $START, to: planner }
  - { from: planner, to: worker, prompt: "Do this: {{ plan }}" }
  - { from: worker, to: $END }
`;

/** Its builder is the workflow above. */
const around = `
version: 1
name: around
description: A workflow whose plan a person approves plays a role.
roles:
  builder:
    description: Builds.
    workflow: planned
    schema: { type: object, required: [status], properties: { status: { enum: [done] } } }
moderator:
  - { from: $START, to: builder }
  - { from: builder, to: $END }
`;
const outermost = around
  .replace("name: around", "name: outermost")
  .replace("workflow: planned", "workflow: around");

const plans = (plan: string) => resolves({ plan });
const asks = resolves({ $status: "$SUSPEND", reason: "Which one?" });
const done = resolves({ status: "done" });

let bench: ThreadBench;
afterEach(() => bench.dispose());

const run = (id: ThreadId) => runThread(bench.engine, id, { signal: new AbortController().signal });

/** A thread that has run until it waited. */
const waiting = (...script: Parameters<typeof scriptedModel>[0]) => waitingIn(workflow, script);

const waitingIn = async (yaml: string, script: Parameters<typeof scriptedModel>[0]) => {
  const model = scriptedModel(script);
  bench = await threadBench(model);
  const workflows = { planned: workflow, around };
  const { id } = await bench.start(yaml, { input: "Make it.", workflows });
  const record = await run(id);
  expect(record.status).toBe("suspended");
  return { id, record, model };
};
/** The one thread that plays a role in it. */
const childOf = async (id: ThreadId): Promise<ThreadRecord> => {
  const [only = id] = await bench.store.linkedThreads("parent", id);
  const record = await bench.store.thread(only);
  if (record === undefined || only === id) throw new Error("nothing plays a role in it");
  return record;
};
const tasks = async (id: ThreadId): Promise<string[]> => {
  const record = await bench.store.thread(id);
  if (record === undefined) throw new Error("no thread");
  return (await bench.store.history(record.head)).steps.map(({ step }) => step.task);
};

describe("a role whose answer a person approves", () => {
  it("lets the thread wait until the answer is approved, and then go on with it", async () => {
    const { id, record, model } = await waiting(plans("one"), done);

    expect(record.reason).toBe("Waits for the approval of what was answered.");
    expect(await approvalIn(bench.store, record)).toMatchObject({
      thread: id,
      step: { hash: record.head, output: { plan: "one" } },
    });
    expect(await approveThread(bench.engine, id, null)).toMatchObject({ status: "queued", reason: null });

    expect(await run(id)).toMatchObject({ status: "completed" });
    expect(await tasks(id)).toEqual(["Make it.", "Do this: one"]);
    model.assertDone();
  });

  it("tells the role that comes next what is said with the approval", async () => {
    const { id } = await waiting(plans("one"), done);

    await approveThread(bench.engine, id, "Mind the tests.");
    await run(id);

    expect((await tasks(id))[1]).toBe("Do this: one\n\nA person who may decide adds:\n\nMind the tests.");
  });

  it("answers again when a person wants it changed, and waits with the new answer", async () => {
    const { id } = await waiting(plans("one"), plans("two"), done);

    await resumeThread(bench.engine, id, "Two, please.");
    const again = await run(id);

    expect(again.status).toBe("suspended");
    expect(await approvalIn(bench.store, again)).toMatchObject({ step: { output: { plan: "two" } } });
    await approveThread(bench.engine, id, null);
    expect((await run(id)).status).toBe("completed");
    expect((await tasks(id))[2]).toBe("Do this: two");
  });

  it("is not approved by the approval of an earlier answer", async () => {
    const { id, record } = await waiting(plans("one"), plans("two"));
    await resumeThread(bench.engine, id, "Two, please.");
    const { head } = await run(id);

    await bench.store.setLink(id, "approved", record.head);
    await resumeThread(bench.engine, id, null);

    expect(await run(id)).toMatchObject({ status: "suspended", head });
  });

  it("can be approved again when the process died before the thread went on", async () => {
    const { id, record } = await waiting(plans("one"), done);
    await bench.store.setLink(id, "approved", record.head);

    await approveThread(bench.engine, id, null);

    expect((await run(id)).status).toBe("completed");
  });

  it("has its question answered, not approved", async () => {
    const { id, record } = await waiting(asks, plans("one"));

    expect(await approvalIn(bench.store, record)).toBeNull();
    await requireNoApproval(bench.store, id);
    await expect(approveThread(bench.engine, id, null)).rejects.toMatchObject({
      code: "approval-unneeded",
      remedy: "fix-input",
    });
    await resumeThread(bench.engine, id, "The blue one.");
    expect(await approvalIn(bench.store, await run(id))).toMatchObject({ step: { output: { plan: "one" } } });
  });

  it("waits for approval again in a fork", async () => {
    const { id } = await waiting(plans("one"), done, done);
    await approveThread(bench.engine, id, null);
    await run(id);

    const forked = await forkThread(bench.engine, id, { at: "1", note: null });

    expect(await run(forked.id)).toMatchObject({ status: "suspended" });
    await approveThread(bench.engine, forked.id, null);
    expect(await run(forked.id)).toMatchObject({ status: "completed" });
  });
});

describe.each([
  ["a workflow", around, 1],
  ["a workflow in a workflow", outermost, 2],
])("an answer that a person approves in %s that plays a role", (_what, yaml, depth) => {
  const lowest = async (id: ThreadId, down = depth): Promise<ThreadRecord> => {
    const child = await childOf(id);
    return down === 1 ? child : lowest(child.id, down - 1);
  };

  it("is found in the thread above, and goes on when it is approved there", async () => {
    const { id, record, model } = await waitingIn(yaml, [plans("one"), done]);
    const child = await lowest(id);

    expect(record.reason).toBe("Waits for the approval of what was answered.");
    expect(await approvalIn(bench.store, record)).toMatchObject({
      thread: child.id,
      step: { hash: child.head, output: { plan: "one" } },
    });
    await expect(requireNoApproval(bench.store, id)).rejects.toMatchObject({ code: "approval-needed" });
    await approveThread(bench.engine, id, "Mind the tests.");
    expect(await run(id)).toMatchObject({ status: "completed" });

    expect(await tasks((await lowest(id)).id)).toEqual([
      "Make it.",
      "Do this: one\n\nA person who may decide adds:\n\nMind the tests.",
    ]);
    model.assertDone();
  });

  it("waits on when the thread above only goes on, and is given anew for a note", async () => {
    const { id } = await waitingIn(yaml, [plans("one"), plans("two"), done]);

    await resumeThread(bench.engine, id, null);
    expect(await approvalIn(bench.store, await run(id))).toMatchObject({ step: { output: { plan: "one" } } });
    await resumeThread(bench.engine, id, "Two, please.");
    expect(await approvalIn(bench.store, await run(id))).toMatchObject({ step: { output: { plan: "two" } } });
    await approveThread(bench.engine, id, null);

    expect(await run(id)).toMatchObject({ status: "completed" });
    expect((await tasks((await lowest(id)).id)).at(-1)).toBe("Do this: two");
  });

  it("is not approved where only its own thread is named, which goes on with the one above", async () => {
    const { id } = await waitingIn(yaml, [plans("one")]);
    const child = await lowest(id);

    await expect(approveThread(bench.engine, child.id, null)).rejects.toMatchObject({
      code: "thread-is-child",
      hint: `Use ${id} instead.`,
    });

    expect(await bench.store.link(child.id, "approved")).toBeUndefined();
  });

  it("is not another thread's to approve that was forked from it", async () => {
    const { id } = await waitingIn(yaml, [plans("one")]);
    const forked = await forkThread(bench.engine, id, { at: "1", note: null });

    expect(await approvalIn(bench.store, { ...forked, status: "suspended" })).toBeNull();
  });
});

describe("an approval", () => {
  it("is refused where nothing waits for one", async () => {
    const { id } = await waiting(plans("one"), done);
    await approveThread(bench.engine, id, null);

    await expect(approveThread(bench.engine, id, null)).rejects.toMatchObject({
      code: "approval-unneeded",
      message: expect.stringContaining("queued"),
    });
    await run(id);
    await expect(approveThread(bench.engine, id, null)).rejects.toMatchObject({ code: "approval-unneeded" });
    await expect(approveThread(bench.engine, newThreadId(), null)).rejects.toMatchObject({
      code: "thread-unknown",
    });
  });

  it("is asked for where a person would only resume", async () => {
    const { id } = await waiting(plans("one"));

    await expect(requireNoApproval(bench.store, id)).rejects.toMatchObject({
      code: "approval-needed",
      hint: expect.stringContaining(`uwf thread resume --approve ${id}`),
    });
    await requireNoApproval(bench.store, newThreadId());
  });
});
