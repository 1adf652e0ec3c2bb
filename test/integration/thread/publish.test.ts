import { afterEach, describe, expect, it } from "vitest";
import { inputError } from "../../../src/base/errors.ts";
import { newThreadId } from "../../../src/base/ids.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import {
  PUSHED,
  type PublicationOptions,
  type PublicationRig,
  publicationRig,
} from "../../fixtures/publication.ts";

let forge: FakeForge;
let rig: PublicationRig;
afterEach(() => rig.dispose());

const begin = async (options: PublicationOptions = {}): Promise<PublicationRig> => {
  forge = fakeForge();
  rig = await publicationRig(forge, options);
  return rig;
};
const close = (index: number): void => {
  const pull = forge.pulls[index];
  if (pull !== undefined) pull.state = "closed";
};
const WANTED = "uwf/issue-12-it-drops-a-line";
const newer = { title: "Keep every line", body: "All are kept." };

describe("publishing", () => {
  it("finds its pull request again, and edits it", async () => {
    const { publish } = await begin();

    const first = await publish();
    const second = await publish({ output: newer });

    expect(second).toMatchObject({ url: first.url, branch: first.branch, title: newer.title });
    expect(forge.pulls).toHaveLength(1);
    expect(forge.details.get(1)).toMatchObject({
      title: newer.title,
      body: expect.stringContaining(newer.body),
    });
  });

  it("leaves what a person has edited as they left it", async () => {
    const { publish } = await begin();
    await publish();
    forge.details.set(1, { ...forge.details.get(1), title: "Mine" });

    await publish({ output: newer });
    await publish({ output: { ...newer, body: "And once more." } });

    expect(forge.details.get(1)).toMatchObject({
      title: "Mine",
      body: expect.stringContaining("And once more."),
    });
  });

  it("takes other ends of lines for no edit", async () => {
    const { publish } = await begin();
    await publish();
    const { body = "" } = forge.details.get(1) ?? {};
    forge.details.set(1, { ...forge.details.get(1), body: `${body.replaceAll("\n", "\r\n")}\r\n` });

    await publish({ output: newer });

    expect(forge.details.get(1)?.body).toContain(newer.body);
  });

  it("pushes nothing more to what people have closed or merged: further work has a branch of its own", async () => {
    const { publish, pushes } = await begin();
    await publish();
    close(0);

    const published = await publish();

    expect(published).toMatchObject({ url: "https://forge/pull/2", branch: `${WANTED}-2` });
    expect(pushes.map(({ branch }) => branch)).toEqual([WANTED, `${WANTED}-2`]);
    expect(forge.called).not.toContain("updatePullRequest 1");
  });

  it("leaves a branch alone that holds the work of others, unless it is its own", async () => {
    const { publish, pushFaults } = await begin();
    pushFaults.set(WANTED, inputError("branch-moved", "It has other commits."));

    expect(await publish()).toMatchObject({ branch: `${WANTED}-2` });

    pushFaults.set(`${WANTED}-2`, inputError("branch-moved", "It has other commits."));
    await expect(publish()).rejects.toMatchObject({ code: "branch-moved" });
  });

  it("keeps where its work is, for what happens there later", async () => {
    const { publish, store, thread } = await begin();
    await publish();

    expect(await store.links(thread)).toMatchObject({
      branch: WANTED,
      "pull-request": expect.stringContaining('"number":1'),
      "pull-subject": "github/17/acme/parser#1",
      commit: `github/17/acme/parser@${PUSHED}`,
    });
  });

  it("names branches and asks for reviews as the repository says", async () => {
    const { publish, pushes } = await begin({
      settings: { branchPrefix: "bot/", reviewers: ["hubot", "mona"] },
    });

    await publish();

    expect(pushes).toMatchObject([{ branch: "bot/issue-12-it-drops-a-line", prefix: "bot/" }]);
    expect(forge.asked).toEqual(["mona", "hubot"]);
  });

  it.each([
    ["until-tests-pass", "passed", false],
    ["until-tests-pass", "failed", true],
    ["always", "passed", true],
    ["never", "failed", false],
  ] as const)("drafts %s: checks %s, draft %s", async (draft, result, expected) => {
    const { publish } = await begin({ settings: { draft }, verification: result });

    await publish();

    expect(forge.pulls).toMatchObject([{ draft: expected }]);
  });

  it("opens a fork's pull request as a draft", async () => {
    const { publish, store, thread } = await begin({ settings: { draft: "never" } });
    await store.setLink(thread, "fork", "other");

    await publish();

    expect(forge.pulls).toMatchObject([{ draft: true }]);
    expect(forge.details.get(1)?.body).not.toContain("beside");
  });

  it("says in a fork's pull request beside which one it stands", async () => {
    const { publish, store, thread } = await begin();
    const record = await store.thread(thread);
    if (record === undefined) throw new Error("the rig made no thread");
    const origin = newThreadId();
    await store.createThread({ ...record, id: origin }, []);
    const link = { number: 13, url: "https://forge/pull/13", draft: false };
    await store.setLink(origin, "pull-request", JSON.stringify(link));
    await store.setLink(thread, "fork", origin);

    await publish();

    expect(forge.details.get(1)?.body).toMatch(/^This stands beside #13: it goes on another way/);
  });

  it("pushes nothing that touches a protected path", async () => {
    const { publish, pushes } = await begin({ files: { ".github/workflows/ci.yml": "on: push\n" } });

    await expect(publish()).rejects.toMatchObject({ code: "protected-path" });
    expect(pushes).toEqual([]);
  });

  it("pushes nothing for somebody who may not write any more", async () => {
    const { publish, pushes } = await begin();
    forge.permissionIs = "read";

    await expect(publish()).rejects.toMatchObject({ code: "permission-lost" });
    expect(pushes).toEqual([]);
  });

  it("asks about nobody for the operator's work, and asks nobody for a review", async () => {
    const { publish } = await begin({ source: { requester: null, operator: true } });
    forge.permissionIs = "none";

    await publish();

    expect(forge.called).not.toContain("permission");
    expect(forge.asked).toEqual([]);
  });

  it("pushes nothing where it is not known who asked", async () => {
    const { publish, pushes } = await begin({ source: { requester: null } });

    await expect(publish()).rejects.toMatchObject({ code: "permission-lost" });
    expect(pushes).toEqual([]);
  });

  it("pushes nothing for a thread that was cancelled meanwhile", async () => {
    const { publish, pushes } = await begin();

    await expect(publish({ signal: AbortSignal.abort(new Error("cancelled")) })).rejects.toThrow("cancelled");

    expect([pushes, forge.pulls]).toEqual([[], []]);
  });

  it("opens no pull request for a thread that is cancelled during the push", async () => {
    const { publish } = await begin();
    const stop = new AbortController();
    forge.botAuthor = async () => {
      stop.abort(new Error("cancelled"));
      return { name: "uwf[bot]", email: "bot@example.org" };
    };

    await expect(publish({ signal: stop.signal })).rejects.toThrow("cancelled");

    expect(forge.pulls).toEqual([]);
  });

  it("says in words what an output without a title lacks", async () => {
    const { publish } = await begin();

    await expect(publish({ output: { title: " ", body: 3 } })).rejects.toMatchObject({
      code: "publish-output-invalid",
      remedy: "fix-input",
      message: expect.stringMatching(/^submitter publishes, .*title.*body/),
    });
  });
});

describe("publishing what there is so far", () => {
  it("opens a draft with the issue's title, whose merge closes nothing", async () => {
    const { publishPartial, pushes } = await begin({ settings: { draft: "never" } });

    const published = await publishPartial();

    expect(published).toMatchObject({ url: "https://forge/pull/1", title: "It drops a line" });
    expect(published?.body).toMatch(
      /^\*\*Unfinished\.\*\*\s+The work stopped at its budget .*\n\nHalf of it\.\n\nFor #12\./,
    );
    expect(`${published?.body} ${pushes[0]?.message}`).not.toMatch(/closes #/i);
    expect(forge.pulls).toMatchObject([{ draft: true }]);
  });

  it("is made ready with a text of its own when the work is finished", async () => {
    const { publish, publishPartial } = await begin({ settings: { draft: "never" } });
    await publishPartial();

    await publish();

    expect(forge.pulls).toMatchObject([{ number: 1, draft: false }]);
    expect(forge.details.get(1)).toMatchObject({
      title: "Keep the last line",
      body: expect.stringContaining("Closes #12"),
    });
  });

  it("does not write over what was said about finished work", async () => {
    const { publish, publishPartial } = await begin({ settings: { draft: "never" } });
    await publish();

    await publishPartial();

    expect(forge.pulls).toMatchObject([{ number: 1, draft: false }]);
    expect(forge.details.get(1)).toMatchObject({ title: "Keep the last line" });
  });

  it("is nothing where no file has changed, and in a pull request that is there already", async () => {
    const untouched = await begin({ files: {} });
    expect(await untouched.publishPartial()).toBeNull();
    await untouched.dispose();

    const pullRequest = { number: 4, branch: "uwf/x", repository: "acme/parser" };
    const { publishPartial, pushes } = await begin({ pullRequest });

    expect([await publishPartial(), pushes]).toEqual([null, []]);
  });
});
