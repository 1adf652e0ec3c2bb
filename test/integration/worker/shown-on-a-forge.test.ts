import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newThreadId, type ThreadId } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import { forgejoForges } from "../../../src/forge/forgejo/forgejo-forges.ts";
import type { ThreadChange } from "../../../src/store/store.ts";
import { liveReporter, type Reporter } from "../../../src/worker/report.ts";
import { durations } from "../../fixtures/durations.ts";
import { threadFixture, threadRecord } from "../../fixtures/nodes.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";
import { type ForgejoRig, forgejoRig } from "../../rigs/forgejo.ts";

const REPOSITORY = durations.fullName;
let rig: ForgejoRig;
beforeAll(async () => {
  rig = await forgejoRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [{ login: "wes", permission: "write" }],
  });
});
afterAll(() => rig.close());

describe("what people see of a thread on a forge", () => {
  let temporary: TemporaryStore;
  let reporters: Reporter[];
  beforeEach(() => {
    temporary = temporaryStore();
    reporters = [];
  });
  afterEach(async () => {
    await Promise.all(reporters.map((reporter) => reporter.close()));
    await temporary.dispose();
  });

  const reporter = (): Reporter => {
    const { FORGEJO_URL: url, FORGEJO_TOKEN: token } = rig.env;
    const forges = forgejoForges({ url, token, log: silentLog });
    const made = liveReporter({ store: temporary.store, forges, log: silentLog });
    reporters.push(made);
    return made;
  };
  const begun = async (): Promise<{ id: ThreadId; issue: number }> => {
    const { number, url } = await rig.openIssue(REPOSITORY, { title: "Wrong", body: "", author: "wes" });
    const fixture = threadFixture({
      source: {
        ...{ forge: "forgejo", repository: REPOSITORY, defaultBranch: "main", installationId: null },
        issue: { number, title: "Wrong", url },
        requester: { login: "wes", id: null },
      },
    });
    const id = newThreadId();
    await temporary.store.createThread(threadRecord(fixture, { id }), fixture.nodes);
    return { id, issue: number };
  };
  const move = (id: ThreadId, change: ThreadChange) => temporary.store.advance(id, {}, change);
  const comments = async (issue: number) => rig.comments(REPOSITORY, issue);

  it("is one comment, a call while a person is needed, and the state of what was pushed", async () => {
    const { id, issue } = await begun();
    const commit = (await rig.bare(REPOSITORY).branches()).get("main") ?? "";
    await temporary.store.setLink(id, "commit", `forgejo/0/${REPOSITORY}@${commit}`);
    const states = () => rig.statuses(REPOSITORY, commit).map(({ context, state }) => `${context} ${state}`);

    await move(id, { status: "failed", reason: "developer: The model refused." });
    await reporter().show(id);
    const [live, call, ...more] = await comments(issue);
    expect(more).toEqual([]);
    expect(live?.body).toContain("**Failed.** developer: The model refused.");
    expect(call?.body).toContain(`@wes: the work has failed; [the comment above](${live?.url}) says more.`);
    expect(states()).toEqual(["uwf failure"]);

    await move(id, { status: "running", reason: null });
    await reporter().show(id);
    expect((await comments(issue)).map(({ id: each }) => each)).toEqual([live?.id]);
    expect(states()).toEqual(["uwf pending"]);

    await move(id, { status: "completed" });
    await reporter().catchUp();
    await reporter().catchUp();
    expect((await comments(issue)).map(({ body }) => body)).toEqual([expect.stringContaining("**Done.**")]);
    expect(states()).toEqual(["uwf success"]);
  });
});
