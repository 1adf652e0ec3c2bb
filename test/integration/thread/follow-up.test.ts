import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError, inputError } from "../../../src/base/errors.ts";
import type { PullRequestDraft, ReviewThread } from "../../../src/forge/forge.ts";
import type { Publication } from "../../../src/thread/publisher.ts";
import { type FakeForge, fakeForge } from "../../fixtures/fake-forge.ts";
import {
  PUSHED,
  type PublicationOptions,
  type PublicationRig,
  publicationRig,
} from "../../fixtures/publication.ts";

const BRANCH = "older/issue-12-it-drops-a-line";
const pullRequest = { number: 1, branch: BRANCH, repository: "acme/parser" };
const conversation = (id: string): ReviewThread => ({
  id,
  path: "a.txt",
  line: 1,
  diffHunk: null,
  isResolved: false,
  comments: [{ author: "mona", isOwn: false, body: "Why?", at: 1 }],
});
const answered = {
  title: "Say why",
  body: "It says why now. Closes #3.",
  answers: [
    { conversation: "c1", text: "Done, as @mona asked." },
    { conversation: "gone", text: "Nobody reads this." },
    { conversation: "c2", text: "Left as it is." },
    { conversation: "c1", text: "In a.txt." },
  ],
};

let forge: FakeForge;
let rig: PublicationRig;
beforeEach(() => {
  forge = fakeForge();
  forge.pulls.push({ number: 1, url: "https://forge/pull/1", branch: BRANCH, draft: false, state: "open" });
  forge.threads.push(conversation("c1"), conversation("c2"));
});
afterEach(() => rig.dispose());

const begin = async (options: PublicationOptions = {}): Promise<PublicationRig> => {
  rig = await publicationRig(forge, { pullRequest, ...options });
  return rig;
};

describe("publishing more work on a pull request", () => {
  it("pushes to its branch, whatever that is called, and leaves its text alone", async () => {
    const { publish, pushes, store, thread } = await begin();

    const published = await publish({ output: answered });

    expect(pushes).toMatchObject([{ branch: BRANCH, onto: "existing-branch", message: "Say why" }]);
    expect(published).toMatchObject({ branch: BRANCH, commit: PUSHED, url: "https://forge/pull/1" });
    expect(forge.called).not.toContain("createPullRequest");
    expect(forge.called).not.toContain("updatePullRequest 1");
    expect(await store.links(thread)).toMatchObject({
      branch: BRANCH,
      "pull-subject": "github/17/acme/parser#1",
      commit: `github/17/acme/parser@${PUSHED}`,
    });
  });

  it("puts a fork's beside it, as a draft into the same branch, which closes nothing", async () => {
    const { publish, pushes, store, thread } = await begin();
    forge.details.set(1, { base: "release" });
    await store.setLink(thread, "fork", "other");
    const made: PullRequestDraft[] = [];
    const { createPullRequest } = forge;
    forge.createPullRequest = (draft) => {
      made.push(draft);
      return createPullRequest(draft);
    };

    const published = await publish({ output: { ...answered, body: "It says why now." } });

    expect(pushes).toMatchObject([{ branch: "uwf/issue-12-it-drops-a-line", message: "Say why" }]);
    expect(made).toMatchObject([
      { base: "release", draft: true, body: expect.not.stringContaining("Closes") },
    ]);
    expect(made[0]?.body).toMatch(/^This stands beside #1: /);
    expect([published.url, forge.replies]).toEqual(["https://forge/pull/2", []]);
    expect(await store.links(thread)).toMatchObject({ "pull-subject": "github/17/acme/parser#2" });
  });

  it("answers each conversation once, however often it is published", async () => {
    const { publish } = await begin();

    await publish({ output: answered });
    await publish({ output: answered });

    expect(forge.replies.map(({ thread }) => thread)).toEqual(["c1", "c2"]);
    expect(forge.replies[0]?.body).toMatch(/^Done, as @.mona asked\.\n\nIn a\.txt\.\n\n<!-- uwf:said:/);
  });

  it("only answers when nothing was changed", async () => {
    const { publish, pushes } = await begin({ files: {} });

    await publish({ output: answered });

    expect([pushes, forge.replies.length]).toEqual([[], 2]);
    await expect(publish({ output: { ...answered, answers: [] } })).rejects.toMatchObject({
      code: "nothing-changed",
      message: "The work changed no file, so there is nothing to publish.",
    });
  });

  it("answers nothing when the work cannot be pushed, and says that the branch has moved on", async () => {
    const { publish, pushFaults } = await begin();
    pushFaults.set(BRANCH, inputError("branch-moved", "It has other commits."));

    const failure: unknown = await publish({ output: answered }).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      code: "branch-moved",
      message: expect.stringContaining(`${BRANCH} has moved on`),
      hint: "`/retry` starts over from there.",
    });
    expect(failure).toBeInstanceOf(AppError);
    expect(forge.replies).toEqual([]);
  });

  it.each([
    ["is closed", { state: "closed" }, "pull-request-closed"],
    ["is somebody else's", { isOwn: false }, "pull-request-foreign"],
    ["goes into its own branch", { base: BRANCH }, "pull-request-foreign"],
    ["is from a fork", { head: { commit: PUSHED, repository: "eve/parser" } }, "pull-request-foreign"],
    ["is from another branch", { branch: "main" }, "pull-request-foreign"],
  ] as const)("pushes nothing when it %s", async (_what, details, code) => {
    forge.details.set(1, details);
    const { publish, pushes } = await begin();

    await expect(publish({ output: answered })).rejects.toMatchObject({ code });
    expect([pushes, forge.replies]).toEqual([[], []]);
  });

  it("pushes nothing that touches a protected path", async () => {
    const { publish, pushes } = await begin({
      files: { "secret/key": "1\n" },
      settings: { protectedPaths: ["secret"] },
    });

    await expect(publish({ output: answered })).rejects.toMatchObject({ code: "protected-path" });
    expect(pushes).toEqual([]);
  });
});

describe("publishing a review", () => {
  const review: Partial<Publication> = {
    kind: "review",
    output: { body: "One thing, @mona.", comments: [{ path: "a.txt", line: 3, text: "This drops a line." }] },
  };

  it("writes it once, about the commit that was read", async () => {
    const { publish, store, thread, pushes } = await begin();

    const published = await publish(review);
    await publish(review);

    const { workspace } = await store.load(
      "thread-start",
      (await store.thread(thread))?.start ?? ("" as never),
    );
    const { base } = await store.load("workspace", workspace ?? ("" as never));
    expect(forge.reviews).toEqual([
      {
        commit: base,
        body: expect.stringMatching(/^One thing, @.mona\.\n\n<!-- uwf:said:/),
        comments: [{ path: "a.txt", line: 3, body: "This drops a line." }],
      },
    ]);
    expect(published).toMatchObject({ commit: base, url: "https://forge/pull/1", title: "Review of #1" });
    expect(pushes).toEqual([]);
  });

  it("is about any open pull request, also one from a fork", async () => {
    forge.details.set(1, { isOwn: false, head: { commit: PUSHED, repository: "eve/parser" } });
    const { publish } = await begin();
    await publish(review);
    expect(forge.reviews).toHaveLength(1);
  });

  it("is not written on a closed one, nor for somebody who may not write", async () => {
    forge.details.set(1, { state: "closed" });
    const { publish } = await begin();
    await expect(publish(review)).rejects.toMatchObject({ code: "pull-request-closed" });

    forge.permissionIs = "read";
    await expect(publish(review)).rejects.toMatchObject({ code: "permission-lost" });
    expect(forge.reviews).toEqual([]);
  });

  it("says what an output without a body lacks", async () => {
    const { publish } = await begin();

    await expect(publish({ ...review, output: { comments: [] } })).rejects.toMatchObject({
      code: "publish-output-invalid",
      message: expect.stringContaining("body"),
    });
  });
});
