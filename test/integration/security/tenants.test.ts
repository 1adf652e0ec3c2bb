import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { Hash } from "../../../src/base/ids.ts";
import type { ForgeEvent } from "../../../src/forge/events.ts";
import type { Forges } from "../../../src/forge/forge.ts";
import { commitKey, repositoryKey, subjectOf } from "../../../src/forge/keys.ts";
import { handleDelivery } from "../../../src/intake/handle-delivery.ts";
import { workflowFinder } from "../../../src/intake/workflow-finder.ts";
import { makeNode, type Node } from "../../../src/store/node.ts";
import type { Source } from "../../../src/store/payload.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { reachedNodes } from "../../../src/thread/reached-nodes.ts";
import { casGet } from "../../../src/tools/cas-get.ts";
import { accountsOf } from "../../../src/worker/budget-accounts.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, intakeParts, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";
import { messageFixture, stepFixture, threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { temporaryStore } from "../../fixtures/temporary-store.ts";
import { workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const WORDS = "canary-of-the-other-tenant";
const COMMIT = "c".repeat(40);
/** The victim's, whose names and numbers the other one knows. */
const VICTIM = { ...PLACE, repositoryId: 9 } as const;
const HOSTILE = { forge: "github", repository: "beta/evil", installationId: 18, repositoryId: 10 } as const;
const SUBJECT = subjectOf(VICTIM, 12);
const PULL = subjectOf(VICTIM, 13);

const temporary = temporaryStore();
const { store } = temporary;
const rig = workspaceRig({ "a.txt": "a\n" });
afterAll(async () => {
  await temporary.dispose();
  await rig.dispose();
});

const source: Source = {
  ...VICTIM,
  defaultBranch: "main",
  issue: { number: 12, title: WORDS, url: null },
  requester: { login: "mona", id: 1 },
};

/** A thread with a step, turns, texts, a pull request and a plan that waits. */
const victim = async (): Promise<{ record: ThreadRecord; nodes: Node[] }> => {
  const fixture = threadFixture({ input: `${WORDS}: input`, source });
  const message = messageFixture(null, `${WORDS}: turn`);
  const text = makeNode("text", { encoding: "utf8", text: `${WORDS}: kept` });
  const first = stepFixture(
    fixture,
    null,
    { plan: `${WORDS}: first` },
    { turns: message.hash, refs: [text.hash] },
  );
  const second = stepFixture(fixture, first.step.hash, { plan: `${WORDS}: second` });
  const own = [message, text, ...first.nodes, ...second.nodes];
  const record = threadRecord(fixture, {
    ...{ title: WORDS, subject: SUBJECT, status: "suspended", reason: WORDS },
    ...{ installation: "github/17", repository: repositoryKey(VICTIM), head: second.step.hash },
  });
  await store.createThread(record, [...fixture.nodes, ...own]);
  await store.setLink(record.id, "pull-subject", PULL);
  await store.setLink(record.id, "commit", commitKey(VICTIM, COMMIT));
  await store.setLink(record.id, "branch", "uwf/issue-12-fix");
  await store.registerWorkflow(`registered-${WORDS}`, fixture.workflow.hash);
  return { record, nodes: [fixture.start, ...own] };
};

let theirs: Awaited<ReturnType<typeof victim>>;
let before: string;
/** All that moves of the victim's. */
const state = async () =>
  JSON.stringify([
    await store.thread(theirs.record.id),
    await store.links(theirs.record.id),
    await store.history(theirs.record.head),
    await store.threads({ installation: "github/17", limit: 99 }),
    await store.delivery("github-theirs"),
  ]);

beforeAll(async () => {
  theirs = await victim();
  await store.addDeliveries([
    {
      id: "github-theirs",
      forge: "github",
      event: "issues",
      body: `{"kind":"${WORDS}"}`,
      receivedAt: RECEIVED,
    },
  ]);
  before = await state();
});

/** The hostile installation's repository, where its own people may do everything; GitHub shows it no other. */
const hostileForges = (): { forge: FakeForge; forges: Forges } => {
  const forge = Object.assign(fakeForge(), {
    repository: HOSTILE.repository,
    permissionIs: "admin" as const,
  });
  const open: Forges["open"] = async ({ repository }) => {
    if (repository === HOSTILE.repository) return forge;
    throw new AppError(`no ${repository}`, { code: "forge-missing", remedy: "fix-input" });
  };
  return { forge, forges: { open } };
};

const about = { ...HOSTILE, defaultBranch: "main", sender: { login: "mallory", id: 66, isBot: false } };
let deliveries = 0;

/** Lets an event happen, in the hostile one's world; answers all that is told there, and the threads that began. */
const happens = async (event: ForgeEvent, { forge, forges } = hostileForges()): Promise<string> => {
  const parts = { ...intakeParts({ store, forge }), forges, findWorkflow: workflowFinder(store) };
  const id = `github-evil-${++deliveries}`;
  await store.addDeliveries([
    { id, forge: event.forge, event: "x", body: JSON.stringify(event), receivedAt: RECEIVED },
  ]);
  const outcome = await handleDelivery(parts, id, new AbortController().signal).catch(
    (error: unknown) => error,
  );
  const begun = await store.threads({ installation: "github/18", limit: 9 });
  for (const thread of begun) await store.removeThread(thread.id);
  return JSON.stringify([
    outcome instanceof Error ? outcome.message : outcome,
    [...forge.comments.values()],
    [...forge.pulls, ...forge.reviews, ...forge.set, ...forge.replies],
    parts.refreshed,
    begun,
  ]);
};

const expectHeld = async (context: TestContext, told: string): Promise<void> => {
  expect(told).not.toContain(WORDS);
  expect(told).not.toContain(theirs.record.id);
  expect(await state()).toBe(before);
  countAttempts(context, "attempts of another tenant");
};

const says = (body: string, number = 12, isPullRequest = false): ForgeEvent => ({
  ...{ ...about, kind: "commented", issue: anIssue({ number, isPullRequest }) },
  comment: { id: 5, body, url: "", at: RECEIVED },
});

const prefixes = (hash: string): string[] => [hash, hash.slice(0, 13), hash.slice(0, 8).toLowerCase()];

describe("another tenant's commands", () => {
  it.for([
    "/stop",
    "/pause",
    "/resume go on",
    "/approve",
    "/retry",
    "/status",
    "/plan",
    "/fork 1",
    "/fork 2 take it over",
    "/run acme/parser",
    `/run registered-${WORDS.slice(0, 6)}`,
    "/solve --workflow acme/parser",
    "/solve --workflow ../../acme/parser/.uwf/workflows/x.yaml",
    "@uwf stop",
  ])("%s on an issue with the same number", async (command, context) => {
    await expectHeld(context, await happens(says(command)));
  });

  it.for(["/fix", "/ci", "/review", "/stop", "/status"])(
    "%s on a pull request with the same number",
    async (command, context) => {
      await expectHeld(context, await happens(says(command, 13, true)));
    },
  );

  it("name the other's steps, workflows and threads by hash", async (context) => {
    const { record, nodes } = theirs;
    // Its own words are said to it again.
    for (const name of [...nodes.flatMap(({ hash }) => prefixes(hash)), record.id])
      for (const command of [`/fork ${name}`, `/run ${name}`, `/solve --workflow ${name}`])
        await expectHeld(context, (await happens(says(command))).replaceAll(name, ""));
  });
});

describe("another tenant's events", () => {
  const place = { repository: VICTIM.repository };
  const issue = anIssue({ number: 12 });
  const pull = anIssue({ number: 13, isPullRequest: true });
  const review = { id: 1, verdict: "changes-requested" as const, body: "/stop", url: "" };
  const events: Readonly<Record<string, ForgeEvent>> = {
    "a label on an issue of that number": { ...about, kind: "issue-labelled", issue, label: "uwf" },
    "a label in a repository of that name": {
      ...about,
      ...place,
      kind: "issue-labelled",
      issue,
      label: "uwf",
    },
    "a comment in a repository of that name": {
      ...{ ...about, ...place, kind: "commented", issue },
      comment: { id: 5, body: "/stop", url: "", at: RECEIVED },
    },
    "a review of a pull request of that number": { ...about, kind: "reviewed", issue: pull, review },
    "a review in a repository of that name": { ...about, ...place, kind: "reviewed", issue: pull, review },
    "checks of the same commit": {
      ...{ ...about, kind: "checks-finished", commit: COMMIT, branch: "uwf/issue-12-fix", passed: false },
    },
    "checks of the same commit in a repository of that name": {
      ...{ ...about, ...place, kind: "checks-finished", commit: COMMIT, branch: null, passed: false },
    },
    "that it was removed from the other's repository": {
      ...{ ...about, kind: "installation-changed", account: "acme", change: "removed" },
      repositories: ["acme/parser"],
    },
    "that it was removed from everywhere": {
      ...{ ...about, kind: "installation-changed", account: "acme", change: "removed", repositories: null },
    },
    "a label by an owner with that number on another forge": {
      ...{
        ...about,
        ...place,
        forge: "forgejo",
        installationId: 17,
        kind: "issue-labelled",
        issue,
        label: "uwf",
      },
    },
    "the removal of a repository of that name on another forge": {
      ...{ ...about, forge: "forgejo", installationId: 17, kind: "installation-changed", account: "acme" },
      ...{ change: "removed", repositories: ["acme/parser"] },
    },
  };

  it.for(Object.entries(events))("%s", async ([, event], context) => {
    await expectHeld(context, await happens(event));
  });

  it("a delivery with the id of one that is there", async (context) => {
    const body = JSON.stringify(says("/stop"));
    const taken = await store.addDeliveries([
      { id: "github-theirs", forge: "github", event: "x", body, receivedAt: RECEIVED + 1 },
    ]);

    expect(taken).toEqual([false]);
    await expectHeld(context, "");
  });
});

describe("another tenant's role", () => {
  it("finds none of the other's nodes, by whatever part of their hashes", async (context) => {
    const fixture = threadFixture({ input: "mine" });
    const step = stepFixture(fixture, null, { note: theirs.nodes.map(({ hash }) => hash) });
    const record = threadRecord(fixture, { head: step.step.hash });
    await store.createThread(record, [...fixture.nodes, ...step.nodes]);
    const nodes = reachedNodes(store, () => [record.start, record.head]);
    const { workspace } = await rig.begin();
    const cas = (hash: string) =>
      casGet.run({ hash }, { workspace, nodes, signal: new AbortController().signal, seen: new Map() });

    expect(await cas(step.output.hash)).toMatchObject({ ok: true });
    for (const { hash } of theirs.nodes)
      for (const name of prefixes(hash)) {
        const answer = await cas(name);

        expect(answer).toMatchObject({ ok: false });
        await expectHeld(context, answer.text.replaceAll(theirs.record.id, ""));
      }
    await store.removeThread(record.id);
  });

  it("shares with the other only what both have written", async (context) => {
    const same = threadFixture({ input: "mine" });
    const nodes = reachedNodes(store, () => [same.start.hash]);
    const record = threadRecord(same);
    await store.createThread(record, same.nodes);

    expect(await nodes.find(same.role.hash)).toHaveLength(1);
    for (const { hash } of theirs.nodes) expect(await nodes.find(hash as Hash)).toEqual([]);
    countAttempts(context, "attempts of another tenant", theirs.nodes.length);
    await store.removeThread(record.id);
  });
});

describe("what tenants share", () => {
  const limits = { actorUsd: 1, repositoryUsd: 1, organisationUsd: 1, totalUsd: 1 };
  const accounts = (of: Partial<Source>) =>
    accountsOf({ ...source, ...of }, limits).map(({ account }) => account);

  it.for<[string, Partial<Source>]>([
    ["another installation", { installationId: 18 }],
    ["another forge", { forge: "forgejo" }],
  ])("is no account of a repository or an organisation: %s", ([, other], context) => {
    const stranger = { requester: { login: "mallory", id: 66 } };
    const shared = accounts({ ...other, ...stranger }).filter((each) => accounts({}).includes(each));

    expect(shared).toEqual(["total"]);
    countAttempts(context, "attempts of another tenant");
  });
});

describe("the other's own people", () => {
  it("do with the same command what nobody else could", async () => {
    const forge = fakeForge();
    const event = { ...says("/stop"), ...VICTIM };

    await happens(event, { forge, forges: { open: async () => forge } });

    expect(await store.thread(theirs.record.id)).toMatchObject({ status: "cancelled" });
  });
});
