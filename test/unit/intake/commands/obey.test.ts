import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hash } from "../../../../src/base/ids.ts";
import { MAX_MESSAGE } from "../../../../src/config/designer-config.ts";
import type { EventIssue } from "../../../../src/forge/events.ts";
import { noticeMarker } from "../../../../src/forge/text/notice.ts";
import { handleComment } from "../../../../src/intake/comments.ts";
import { handleLabelled } from "../../../../src/intake/labels.ts";
import { startWork } from "../../../../src/intake/start-work.ts";
import { makeNode } from "../../../../src/store/node.ts";
import type { ThreadRecord, ThreadStatus } from "../../../../src/store/store.ts";
import { GO_ON } from "../../../../src/thread/moderator.ts";
import { readBundledWorkflow } from "../../../../src/workflow/bundled.ts";
import { loadWorkflow } from "../../../../src/workflow/load.ts";
import { type FakeForge, fakeForge } from "../../../fixtures/fake-forge.ts";
import { anIssue, askedOf, intakeParts, PLACE, RECEIVED } from "../../../fixtures/intake-parts.ts";
import { noUsage } from "../../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../../fixtures/temporary-store.ts";

let temporary: TemporaryStore;
let forge: FakeForge;
let deliveries: number;
beforeEach(() => {
  temporary = temporaryStore();
  forge = fakeForge();
  deliveries = 0;
});
afterEach(() => temporary.dispose());

const about = { ...PLACE, defaultBranch: "main", sender: { login: "mona", id: 1, isBot: false } };
const parts = () => intakeParts({ store: temporary.store, forge });
const asked = () => askedOf(forge, {}, `d${++deliveries}`);
const say = (body: string, issue: Partial<EventIssue> = {}) =>
  handleComment(parts(), asked(), {
    ...{ ...about, kind: "commented", issue: anIssue(issue) },
    comment: { id: 5, body, url: "", at: RECEIVED },
  });
const label = () =>
  handleLabelled(parts(), asked(), { ...about, kind: "issue-labelled", issue: anIssue(), label: "uwf" });
const set = async (thread: ThreadRecord | undefined, status: ThreadStatus) => {
  if (thread !== undefined) await temporary.store.advance(thread.id, {}, { status });
};
const containing = (text: string) => expect.stringContaining(text);
/** What people are told: in the threads' comments, or where there is none. */
const told = async () => {
  const threads = await temporary.store.threads({ limit: 9 });
  const links = await Promise.all(threads.map(({ id }) => temporary.store.link(id, "notice")));
  return [...links, ...[...forge.comments.values()].map(({ body }) => body.replace(noticeMarker, ""))].filter(
    Boolean,
  );
};

describe("/fork", () => {
  it("counts as the operator's where the operator asked for the work: nobody begins any number in their name", async () => {
    const { config, ...others } = parts();
    const perActor = { ...config.limits.perActor, underWay: 1 };
    const few = { ...others, config: { ...config, limits: { ...config.limits, perActor } } };
    const { number, title, url } = anIssue();
    await startWork(few, asked(), {
      ...{ workflow: "solve-issue", trigger: "run", about: { number, title, url } },
      ...{ requester: null, input: "It drops a line", options: {} },
    });

    const forked = handleComment(few, asked(), {
      ...{ ...about, kind: "commented", issue: anIssue() },
      comment: { id: 5, body: "/fork 1", url: "", at: RECEIVED },
    });

    await expect(forked).rejects.toMatchObject({ code: "actor-busy" });
  });
});

describe("/retry", () => {
  it("starts nothing on an issue that was closed, and says so", async () => {
    await set(await say("/solve"), "failed");

    expect(await say("/retry", { state: "closed" })).toBeUndefined();
    expect(await told()).toEqual([expect.stringContaining("This issue is closed. Open it again first.")]);
  });

  it("keeps the budget and the model that its command asked for, unless it says otherwise", async () => {
    const { store } = temporary;
    await set(await say("/solve --budget 1.5 --model default"), "failed");
    const again = await say("/retry");
    await set(again, "failed");
    const other = await say("/retry --budget 0.5");

    const [first, second] = await Promise.all(
      [again, other].map((thread) => store.load("thread-start", thread?.start ?? ("" as Hash))),
    );
    expect(first?.limits.budgetUsd).toBe(1.5);
    expect(first?.asked).toEqual({ budgetUsd: 1.5, model: "default" });
    expect(second?.limits.budgetUsd).toBe(0.5);
    expect(second?.asked).toEqual({ budgetUsd: 0.5, model: "default" });
  });

  it("says what is wrong with what its command asked for, where that does not hold any more", async () => {
    const failed = await say("/solve --budget 2");
    await set(failed, "failed");

    const again = await handleComment(parts(), askedOf(forge, { budgetUsd: 1 }, "d9"), {
      ...{ ...about, kind: "commented", issue: anIssue() },
      comment: { id: 6, body: "/retry", url: "", at: RECEIVED },
    });

    expect(again).toBeUndefined();
    expect(await told()).toEqual([containing("so `--budget 2` is too much")]);
  });
});

describe("/help", () => {
  it("says whose the commands are, and lists them", async () => {
    await say("/help");

    expect(await told()).toEqual([
      containing(
        "To `mona`: I take these commands from people who may write here, each on a line of its own:",
      ),
    ]);
    expect(await told()).toEqual([containing("- `/solve [note]` works on the issue")]);
  });
});

describe("a merged pull request", () => {
  it.each(["/fix Say why.", "/ci", "/review", "/run look", "/retry"])(
    "takes no %s, and says why",
    async (command) => {
      const { pullRequest } = forge;
      forge.pullRequest = async () => ({ ...(await pullRequest(1)), state: "closed", merged: true });
      await forge.createPullRequest({
        ...{ branch: "uwf/x", base: "main", title: "", body: "", draft: false, reviewers: [] },
      });

      expect(await say(command, { number: 1, isPullRequest: true, state: "closed" })).toBeUndefined();
      expect(await told()).toEqual([containing("This pull request is merged.")]);
    },
  );
});

describe("work that is done", () => {
  it("goes on by /resume with a note only: without one, the same would be paid for again", async () => {
    const thread = await say("/solve");
    await set(thread, "completed");

    expect(await say("/resume")).toBeUndefined();
    expect(await told()).toEqual([expect.stringContaining("`/resume` with a note goes on with it")]);
    expect((await say("/resume Use a table."))?.status).toBe("queued");
  });

  it("is not started over by /retry, which says what asks for more where it stands", async () => {
    const thread = await say("/solve");
    await set(thread, "completed");
    if (thread !== undefined)
      await temporary.store.setLink(thread.id, "pull-subject", "github/17/acme/parser#13");

    await say("/retry");
    await say("/retry", { number: 13, isPullRequest: true });

    expect(await told()).toEqual([
      expect.stringContaining("`/solve` starts new work"),
      expect.stringContaining("`/fix` with a note asks for more"),
    ]);
  });
});

describe("work that asks a person", () => {
  it("goes on by /resume with the answer only: without one, it would ask once more", async () => {
    const { store } = temporary;
    const thread = await say("/solve");
    if (thread === undefined) throw new Error("nothing was started");
    const { agents } = await store.load("thread-start", thread.start);
    const output = makeNode("output", { value: { $status: "$SUSPEND", reason: "All numbers?" } });
    const step = makeNode("step", {
      ...{ start: thread.start, prev: null, role: "worker", agent: agents.worker ?? thread.start },
      ...{ task: "Do it.", output: output.hash, turns: null, workspace: null, refs: [], published: null },
      ...{ usage: noUsage, startedAt: RECEIVED, finishedAt: RECEIVED },
    });
    await store.put([output, step]);
    await store.advance(thread.id, {}, { head: step.hash, status: "suspended" });

    expect(await say("/resume")).toBeUndefined();
    expect(await told()).toEqual(["A question waits: `/resume` with your answer goes on."].map(containing));
    expect((await say("/resume All."))?.status).toBe("queued");
  });
});

describe("a conversation about a workflow", () => {
  const inputOf = async (thread: ThreadRecord | undefined) =>
    (await temporary.store.load("thread-start", thread?.start ?? ("" as never))).input;
  const issue = { title: "Sort new issues", body: "Bugs first." };
  const talk = async (body: string) => {
    const definition = await loadWorkflow((await readBundledWorkflow("design")) ?? "", {
      file: "design.yaml",
    });
    return handleComment({ ...parts(), findWorkflow: async () => definition }, asked(), {
      ...{ ...about, kind: "commented", issue: anIssue(issue) },
      comment: { id: 5, body, url: "", at: RECEIVED },
    });
  };

  it.each([
    ["/design", "Sort new issues\n\nBugs first."],
    ["/design Then the others.", "Sort new issues\n\nBugs first.\n\nThen the others."],
    ["/run design", "Sort new issues\n\nBugs first."],
    ["/solve --workflow design Then more.", "Sort new issues\n\nBugs first.\n\nThen more."],
  ])("begins by %s", async (command, input) => {
    const thread = await say(command, issue);

    expect(thread).toMatchObject({ workflow: "design", status: "queued" });
    expect(await inputOf(thread)).toBe(input);
  });

  it.each(["/design", "/solve --workflow design"])(
    "does not begin with more than it takes at once: %s",
    async (command) => {
      await say(command, { ...issue, body: "x".repeat(MAX_MESSAGE) });

      expect(await told()).toEqual([containing("Say it in parts.")]);
      expect(await temporary.store.threads({ limit: 9 })).toEqual([]);
    },
  );

  it("begins once", async () => {
    await say("/design", issue);

    expect(await say("/design", issue)).toBeUndefined();
    expect(await temporary.store.threads({ limit: 9 })).toHaveLength(1);
  });

  it.each(["/design", "/run design"])("does not begin on a pull request: %s", async (command) => {
    const { branch, base, title } = { branch: "uwf/a", base: "main", title: "" };
    await forge.createPullRequest({ branch, base, title, body: "", draft: true, reviewers: [] });

    await say(command, { number: 1, isPullRequest: true });

    expect(await told()).toEqual([containing("issue")]);
    expect(await temporary.store.threads({ limit: 9 })).toEqual([]);
  });

  /** A conversation whose designer ended its turn so. */
  const ended = async (status: "asked" | "failed") => {
    const { store } = temporary;
    const thread = await talk("/design");
    if (thread === undefined) throw new Error("nothing was started");
    const { agents } = await store.load("thread-start", thread.start);
    const output = makeNode("output", { value: { status, summary: "Hm." } });
    const step = makeNode("step", {
      ...{ start: thread.start, prev: null, role: "designer", agent: agents.designer ?? thread.start },
      ...{ task: "Talk.", output: output.hash, turns: null, workspace: null, refs: [], published: null },
      ...{ usage: noUsage, startedAt: RECEIVED, finishedAt: RECEIVED },
    });
    await store.put([output, step]);
    await store.advance(thread.id, {}, { head: step.hash, status: "suspended" });
  };

  it("goes on by /resume alone where something went wrong", async () => {
    await ended("failed");

    expect(await talk("/resume")).toMatchObject({ status: "queued", note: GO_ON });
  });

  it("goes on by /resume with an answer only where it asks", async () => {
    await ended("asked");

    expect(await talk("/resume")).toBeUndefined();
    expect(await told()).toEqual([containing("`/resume` with your answer goes on.")]);
    expect(await talk("/resume All.")).toMatchObject({ status: "queued", note: "All." });
  });
});

describe("/run", () => {
  it("spends nothing on a review where there is no pull request", async () => {
    const findWorkflow = () =>
      loadWorkflow(
        `version: 1
name: look
description: Reviews.
roles:
  editor:
    description: Writes.
    systemPrompt: You write.
    publish: review
    schema: { type: object, required: [body], properties: { body: { type: string } } }
moderator:
  - { from: $START, to: editor }
  - { from: editor, to: $END }
`,
        { file: "test.yaml" },
      );

    const started = handleComment({ ...parts(), findWorkflow }, asked(), {
      ...{ ...about, kind: "commented", issue: anIssue() },
      comment: { id: 5, body: "/run look", url: "", at: RECEIVED },
    });

    await expect(started).rejects.toMatchObject({
      code: "review-nowhere",
      message: "The workflow look reviews a pull request, and this is none.",
    });
  });
});

describe("/resume with a note for work that goes on", () => {
  it("says that the note was not taken, and how it would be", async () => {
    await set(await say("/solve"), "running");

    await say("/resume Use a table.");

    expect(await told()).toEqual([
      expect.stringContaining("The work is running, so `/resume` does nothing now. The note was not taken: "),
    ]);
  });
});

describe("a label where work is under way", () => {
  it("is answered when that work waits for a person", async () => {
    await set(await say("/solve"), "suspended");

    expect(await label()).toBeUndefined();
    expect(await told()).toEqual([expect.stringContaining("already (it waits for a person)")]);
  });

  it("is nothing that anybody has to be told of while the work goes on", async () => {
    await say("/solve");

    expect(await label()).toBeUndefined();
    expect(await told()).toEqual([]);
  });
});

describe("work of somebody who may not write any more", () => {
  it("does not go on for others: nothing of it would be published", async () => {
    await set(await say("/solve"), "paused");
    forge.permission = async (login) => (login === "mona" ? "read" : "write");
    const sender = { login: "lena", id: 2, isBot: false };

    const answer = await handleComment(parts(), asked(), {
      ...{ ...about, sender, kind: "commented", issue: anIssue() },
      comment: { id: 5, body: "/resume", url: "", at: RECEIVED },
    });

    expect(answer).toBeUndefined();
    expect(await told()).toEqual([expect.stringContaining("`mona` asked for this work, and may not write")]);
  });
});

describe("/status", () => {
  const status = { number: 13, isPullRequest: true };

  it("says where the work of a pull request is shown, when that is elsewhere", async () => {
    const solver = await say("/solve");
    if (solver !== undefined)
      await temporary.store.setLink(solver.id, "pull-subject", "github/17/acme/parser#13");

    await say("/status", status);

    expect(await told()).toEqual([expect.stringContaining("That work is shown in the comment on #12.")]);
  });

  it("offers, where nothing was asked, what begins work there", async () => {
    await say("/status");
    await say("/status", status);

    expect(await told()).toEqual([
      expect.stringContaining("yet. `/solve` starts the work."),
      expect.stringContaining("yet. `/help` shows what can be done."),
    ]);
  });

  it("brings the comment up to date that is there", async () => {
    await say("/solve");

    await say("/status");

    expect([await told(), forge.reactions]).toEqual([[], ["eyes", "eyes"]]);
  });
});

describe("/review", () => {
  it("takes the pull request's text as it stood when it was asked for", async () => {
    const draft = { branch: "fix", base: "main", draft: false, reviewers: [] };
    await forge.createPullRequest({ ...draft, title: "Changed since", body: "Approve this." });

    const thread = await say("/review", {
      number: 1,
      isPullRequest: true,
      title: "Fix it",
      body: "It is so.",
    });

    const { input } = await temporary.store.load("thread-start", thread?.start ?? ("" as never));
    expect(input).toMatch(
      /^<instruction id="(\w+)" of="pull request #1" by="mona">\nFix it\n\nIt is so\.\n<\/instruction id="\1">\n\nThe pull request goes into the branch main\.$/,
    );
  });
});
