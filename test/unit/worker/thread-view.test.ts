import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import type { Json } from "../../../src/base/json.ts";
import type { ThreadView } from "../../../src/forge/text/thread-view.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Payload, Source } from "../../../src/store/payload.ts";
import type { LinkKind, ThreadChange } from "../../../src/store/store.ts";
import { readSituation } from "../../../src/worker/situation.ts";
import { threadView } from "../../../src/worker/thread-view.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { workflowNodes } from "../../../src/workflow/nodes.ts";
import { fixtureTime, noUsage } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const workflow = workflowNodes(
  await loadWorkflow(
    `version: 1
name: solve
description: Solves.
roles:
  planner:
    description: Plans.
    systemPrompt: Plan.
    approval: required
    schema: { type: object, properties: { summary: { type: string } } }
  developer:
    description: Develops.
    systemPrompt: Develop.
    schema: { type: object, properties: { summary: { type: string } } }
  submitter:
    description: Submits.
    systemPrompt: Submit.
    publish: pull-request
    schema: { type: object, required: [title, body], properties: { title: { type: string }, body: { type: string } } }
moderator:
  - { from: $START, to: planner, when: 'trigger == "plan"' }
  - { from: $START, to: developer }
  - { from: planner, to: developer }
  - { from: developer, to: submitter }
  - { from: submitter, to: $END }
`,
    { file: "w.yaml" },
  ),
);
const base = "a".repeat(40);
const source: Source = {
  forge: "github",
  repository: "acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "It drops a line", url: "https://h/acme/parser/issues/12" },
  requester: { login: "mona", id: 1 },
  installationId: 17,
};

type Done = { role: string; output: Json; published?: Payload<"step">["published"]; usd?: number };
type Thread = {
  start?: Partial<Payload<"thread-start">>;
  steps?: readonly Done[];
  change?: ThreadChange;
  links?: Partial<Record<LinkKind, string>>;
};

describe("a thread's view", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  const made = async ({ start, steps = [], change, links = {} }: Thread): Promise<ThreadId> => {
    const { store } = temporary;
    const agent = makeNode("agent", { adapter: "react", name: "b", model: "default", modelName: "m" });
    const files = makeNode("workspace", { repository: "r", base, tree: base, files: [] });
    const started = makeNode("thread-start", {
      workflow: workflow.workflow.hash,
      agents: { planner: agent.hash, developer: agent.hash, submitter: agent.hash },
      input: "It drops a line.",
      trigger: "label",
      depth: 0,
      parentThread: null,
      source,
      workspace: files.hash,
      limits: { pauseAfterRounds: 40, budgetUsd: 2, budgetTokens: null },
      createdAt: fixtureTime,
      ...start,
    });
    const nodes: Node[] = [agent, files, ...workflow.nodes, started];
    let head = started.hash;
    for (const [index, { role, output, published = null, usd = 0.1 }] of steps.entries()) {
      const value = makeNode("output", { value: output });
      const step = makeNode("step", {
        start: started.hash,
        prev: index === 0 ? null : head,
        ...{ role, agent: agent.hash, task: "Do it.", output: value.hash, turns: null, workspace: null },
        ...{ refs: [], published, usage: { ...noUsage, inputTokens: 10, costUsd: usd } },
        startedAt: fixtureTime + 1_000 * index,
        finishedAt: fixtureTime + 1_000 * (index + 1),
      });
      nodes.push(value, step);
      head = step.hash;
    }
    const id = newThreadId();
    await store.createThread(
      {
        ...{ id, workflow: "solve", title: "It drops a line", start: started.hash, head: started.hash },
        ...{ tip: null, begun: [], status: "queued", reason: null, note: null, subject: null },
        ...{ installation: null, repository: null, grantedAt: fixtureTime, dueAt: 0, admitted: false },
        ...{ createdAt: fixtureTime, updatedAt: fixtureTime },
      },
      nodes,
    );
    await store.advance(id, {}, { head, ...change });
    for (const [kind, value] of Object.entries(links)) await store.setLink(id, kind as LinkKind, value);
    return id;
  };
  const viewOf = async (thread: Thread, now = Date.now()): Promise<ThreadView> => {
    const { store } = temporary;
    const record = await store.thread(await made(thread));
    if (record === undefined) throw new Error("the thread is gone");
    return threadView(store, await readSituation(store, record), now);
  };
  const states = ({ roles }: ThreadView) => roles.map(({ name, state }) => `${name} ${state}`);

  const plan = { role: "planner", output: { summary: "Read it all." } };
  const work = { role: "developer", output: { summary: "It reads it all." } };

  it.each<[string, Thread, string[]]>([
    ["queued", {}, ["developer waiting", "submitter waiting"]],
    [
      "queued for a plan",
      { start: { trigger: "plan" } },
      ["planner waiting", "developer waiting", "submitter waiting"],
    ],
    ["running", { change: { status: "running" } }, ["developer running", "submitter waiting"]],
    ["running on", { steps: [work], change: { status: "running" } }, ["developer done", "submitter running"]],
    ["failed", { steps: [work], change: { status: "failed" } }, ["developer done", "submitter failed"]],
    ["paused", { steps: [work], change: { status: "paused" } }, ["developer done", "submitter waiting"]],
    [
      "asking",
      {
        steps: [{ role: "developer", output: { $status: "$SUSPEND", reason: "Which?" } }],
        change: { status: "suspended", reason: "Which?" },
      },
      ["developer asked", "submitter waiting"],
    ],
    [
      "answered",
      {
        steps: [{ role: "developer", output: { $status: "$SUSPEND", reason: "Which?" } }],
        change: { status: "running", note: "That." },
      },
      ["developer asked", "developer running", "submitter waiting"],
    ],
    [
      "to be planned anew",
      {
        start: { trigger: "plan" },
        steps: [plan],
        change: { status: "running", note: "Smaller." },
      },
      ["planner done", "planner running", "developer waiting", "submitter waiting"],
    ],
  ])("tells who is at work, and who comes, when it is %s", async (_what, thread, roles) => {
    expect(states(await viewOf(thread))).toEqual(roles);
  });

  it("tells since when a role is at work", async () => {
    const { roles } = await viewOf({ steps: [work], change: { status: "running" } });

    expect(roles.map(({ since }) => since)).toEqual([null, expect.any(Number)]);
  });

  it("waits for approval of a plan until the very step is approved", async () => {
    const thread: Thread = {
      start: { trigger: "plan" },
      steps: [plan],
      change: { status: "suspended", reason: "Waits for approval." },
    };

    expect((await viewOf(thread)).awaits).toEqual({ kind: "approval", plan: plan.output, base });
  });

  it.each<[string, Thread, ThreadView["awaits"]]>([
    ["a worker", {}, { kind: "worker" }],
    [
      "a retry",
      { change: { status: "queued", reason: "429.", dueAt: fixtureTime + 60_000 } },
      { kind: "retry", at: fixtureTime + 60_000 },
    ],
    [
      "a worker, once its time has come",
      { change: { status: "queued", reason: "429.", dueAt: fixtureTime - 1 } },
      { kind: "worker" },
    ],
    [
      "an answer",
      {
        steps: [{ role: "developer", output: { $status: "$SUSPEND", reason: "One\n\nor two?" } }],
        change: { status: "suspended", reason: "One or two?" },
      },
      { kind: "answer", question: "One\n\nor two?" },
    ],
    ["a person", { steps: [work], change: { status: "suspended", reason: "No edge." } }, { kind: "person" }],
    ["a person who lets it go on", { change: { status: "paused" } }, { kind: "person" }],
    ["nothing", { change: { status: "running" } }, null],
  ])("waits for %s", async (_what, thread, awaits) => {
    expect((await viewOf(thread, fixtureTime)).awaits).toEqual(awaits);
  });

  it("waits for a comment once the designer has spoken", async () => {
    const { store } = temporary;
    const id = await made({ steps: [work], change: { status: "suspended", reason: null } });
    const record = await store.thread(id);
    if (record === undefined) throw new Error("the thread is gone");
    const designer = makeNode("agent", {
      ...{ adapter: "designer", name: "designer", model: "default", modelName: "m" },
    });
    const said = makeNode("output", { value: { status: "asked", summary: "Which?" } });
    const step = makeNode("step", {
      ...{ start: record.start, prev: record.head, role: "developer", agent: designer.hash },
      ...{ task: "Talk.", output: said.hash, turns: null, workspace: null, refs: [], published: null },
      ...{ usage: noUsage, startedAt: fixtureTime, finishedAt: fixtureTime },
    });
    await store.put([designer, said, step]);
    const talked = await store.advance(id, {}, { head: step.hash, status: "suspended" });
    if (talked === undefined) throw new Error("the thread is gone");

    const view = await threadView(store, await readSituation(store, talked), fixtureTime);

    expect(view.awaits).toEqual({ kind: "comment" });
  });

  it("reads what the thread owns elsewhere", async () => {
    const view = await viewOf({
      steps: [work],
      change: { status: "completed" },
      links: {
        branch: "uwf/issue-12-a#b",
        "pull-request": JSON.stringify({ number: 13, url: "https://h/13", draft: true, title: "abc" }),
        notice: JSON.stringify({ to: "ada", text: "Not now." }),
        fork: "01M7XDZAYQBH3ZGNTHQM0BYJQ2",
        commit: `github/17/acme/parser@${base}`,
      },
    });

    expect(view).toMatchObject({
      branch: { name: "uwf/issue-12-a#b", url: "https://h/acme/parser/tree/uwf/issue-12-a%23b" },
      pullRequest: { number: 13, url: "https://h/13", draft: "yes" },
      notice: { to: "ada", text: "Not now." },
      forkOf: "01M7XDZAYQBH3ZGNTHQM0BYJQ2",
      commit: null,
      on: "issues",
      requester: "mona",
      trigger: "label",
    });
  });

  it.each([
    ["waits for its checks", {}, "until-checks-pass"],
    ["shows work that stopped half-way", { partial: true }, "yes"],
  ])("tells why a draft is one: it %s", async (_, more, draft) => {
    const link = JSON.stringify({ number: 13, url: "https://h/13", draft: true, ...more });
    const view = await viewOf({ change: { status: "completed" }, links: { "pull-request": link } });

    expect(view.pullRequest).toEqual({ number: 13, url: "https://h/13", draft });
  });

  it("tells of a fork's own pull request, not of the one that it began on", async () => {
    const output = { title: "T", body: "B", answers: [{ conversation: "1", text: "Done." }] };
    const published = { branch: "uwf/x", commit: "b".repeat(40), url: "https://h/14", title: "T", body: "B" };
    const view = await viewOf({
      start: {
        source: { ...source, pullRequest: { number: 13, branch: "uwf/x", repository: "acme/parser" } },
      },
      steps: [work, { role: "submitter", output, published }],
      change: { status: "completed" },
      links: { commit: `github/17/acme/parser@${"b".repeat(40)}`, fork: "01M7XDZAYQBH3ZGNTHQM0BYJQ2" },
    });

    expect([view.commit, view.answered]).toEqual([null, 0]);
  });

  it("tells what was pushed to a pull request, and what was answered there", async () => {
    const pushed = "b".repeat(40);
    const published = { branch: "uwf/x", commit: pushed, url: "https://h/13", title: "T", body: "B" };
    const output = { title: "T", body: "B", answers: [{ conversation: "1", text: "Done." }] };
    const view = await viewOf({
      start: {
        source: { ...source, pullRequest: { number: 13, branch: "uwf/x", repository: "acme/parser" } },
      },
      steps: [work, { role: "submitter", output, published }],
      change: { status: "completed" },
      links: { commit: `github/17/acme/parser@${pushed}`, notice: "" },
    });

    expect(view).toMatchObject({
      roles: [{ summary: "It reads it all." }, { summary: "T\n\nAnswered:\n\n- Done." }],
      commit: { name: "b".repeat(12), url: `https://h/acme/parser/commit/${pushed}` },
      answered: 1,
      reviewed: null,
      on: "pull requests",
      leftOut: {},
      notice: null,
    });
  });

  it("tells which commit a review is about", async () => {
    const published = { branch: "fix", commit: base, url: "https://h/13", title: "Review of #13", body: "B" };
    const output = { body: "B", comments: [] };
    const view = await viewOf({
      start: {
        source: { ...source, pullRequest: { number: 13, branch: "fix", repository: "acme/parser" } },
      },
      steps: [work, { role: "submitter", output, published }],
      change: { status: "completed" },
    });

    const reviewed = { name: "a".repeat(12), url: `https://h/acme/parser/commit/${base}` };
    expect(view).toMatchObject({ reviewed, commit: null, answered: 0 });
  });

  it("offers no command that the repository has switched off", async () => {
    const settings = {
      ...{ branchPrefix: "uwf/", draft: "never" as const, setup: [], instructions: null },
      ...{ protectedPaths: [], reviewers: [], commandsOff: ["retry", "stop"] },
    };
    const { commands } = await viewOf({ start: { settings } });

    expect(commands).toContain("resume");
    expect(commands).not.toContain("retry");
    expect(commands).not.toContain("stop");
  });

  it("counts the budget since a person let it go on", async () => {
    const steps = [
      { ...work, usd: 1.5 },
      { ...work, usd: 0.25 },
    ];

    const view = await viewOf({ steps, change: { status: "paused", grantedAt: fixtureTime + 1_000 } });

    expect(view.budget).toEqual({ spentUsd: 0.25, limitUsd: 2 });
    expect(view.usage.costUsd).toBe(1.75);
  });
});
