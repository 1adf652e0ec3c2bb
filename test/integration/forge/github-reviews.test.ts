import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Forge } from "../../../src/forge/forge.ts";
import { durations } from "../../fixtures/durations.ts";
import { botPullRequest, githubForgeOn } from "../../fixtures/github-forge.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
const GRAPHQL = { method: "POST", path: /graphql$/ };
let rig: GithubRig;
let forge: Forge;
let pull: { number: number; branch: string; commit: string };

beforeAll(async () => {
  rig = await githubRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [
      { login: "mona", permission: "write" },
      { login: "eve", permission: "read" },
    ],
  });
  forge = await githubForgeOn(rig, REPOSITORY);
});
afterAll(() => rig.close());
beforeEach(async () => {
  pull = await botPullRequest(rig, forge);
});

const ask = async (line: number, body: string, author = "mona"): Promise<number> => {
  const comments = [{ path: "notes.md", line, body }];
  const { conversations } = await rig.review(REPOSITORY, pull.number, {
    ...{ author, verdict: "COMMENT", comments },
  });
  return conversations[0] ?? 0;
};

describe("conversations in reviews", () => {
  it("are read with who said what where, and what is resolved", async () => {
    const first = await ask(2, "Why two?");
    const second = await ask(4, "Spelling.", "eve");
    await rig.resolve(REPOSITORY, pull.number, { conversation: second, by: "mona" });
    await forge.replyToReview(pull.number, String(first), "Because.");

    expect(await forge.reviewThreads(pull.number)).toEqual([
      {
        ...{ id: String(first), path: "notes.md", line: 2, isResolved: false },
        diffHunk: "@@ -0,0 +1,5 @@\n+one\n+two",
        comments: [
          { author: "mona", isOwn: false, body: "Why two?", at: expect.any(Number) },
          { author: rig.botLogin, isOwn: true, body: "Because.", at: expect.any(Number) },
        ],
      },
      expect.objectContaining({ id: String(second), isResolved: true }),
    ]);
  });

  it("follow their line, and lose it when it changes", async () => {
    await ask(2, "This.");
    await ask(4, "That.");
    const { branch } = pull;
    const content = `zero\none\ntwo\nthree\nFOUR\n${branch}\n`;
    await rig.writeFile(REPOSITORY, { path: "notes.md", content, branch, by: "mona" });

    const threads = await forge.reviewThreads(pull.number);

    expect(threads.map(({ line }) => line)).toEqual([3, null]);
  });

  it("are all read, however many they are and however long", async () => {
    const long = await ask(1, "0");
    for (let i = 1; i < 60; i++)
      await rig.reply(REPOSITORY, pull.number, { conversation: long, author: "mona", body: `${i}` });
    for (let i = 0; i < 54; i++) await ask(2, `thread ${i}`);

    const threads = await forge.reviewThreads(pull.number);

    expect(threads).toHaveLength(55);
    expect(threads[0]?.comments.map(({ body }) => body)).toEqual(
      Array.from({ length: 60 }, (_, i) => `${i}`),
    );
  });

  it.each([
    [{ status: 403 }],
    [{ status: 404 }],
    [{ status: 200, body: { errors: [{ type: "FORBIDDEN", message: "no" }] } }],
    [
      {
        status: 200,
        body: { errors: [{ message: "Field doesn't exist", extensions: { code: "undefinedField" } }] },
      },
    ],
  ])("come from the REST API where GraphQL answers %j", async (answer) => {
    const first = await ask(2, "Why two?");
    await forge.replyToReview(pull.number, String(first), "Because.");
    const second = await ask(4, "Spelling.");
    const known = await forge.reviewThreads(pull.number);
    rig.fault({ ...GRAPHQL, answer });

    const threads = await forge.reviewThreads(pull.number);

    expect(threads.map(({ id }) => id)).toEqual([String(first), String(second)]);
    expect(threads).toEqual(known);
  });

  it("are not taken from elsewhere when GraphQL is only busy", async () => {
    rig.fault({ ...GRAPHQL, answer: { status: 502 } });

    await expect(forge.reviewThreads(pull.number)).rejects.toMatchObject({ code: "forge-unavailable" });
  });

  it("are not answered where there is none", async () => {
    await expect(forge.replyToReview(pull.number, "1", "?")).rejects.toMatchObject({ code: "forge-missing" });
    await expect(forge.replyToReview(pull.number, "PRRT_x", "?")).rejects.toMatchObject({
      code: "forge-review-thread",
      remedy: "fix-input",
    });
  });
});

describe("a review of the bot's", () => {
  const written = async () => (await rig.reviews(REPOSITORY, pull.number)).at(-1);
  const lines = async () =>
    (await rig.conversations(REPOSITORY, pull.number)).map(({ path, line }) => `${path}:${line}`);

  it("comments on lines and neither approves nor refuses", async () => {
    const comments = [{ path: "notes.md", line: 3, body: "Good." }];

    await forge.createReview(pull.number, { commit: pull.commit, body: "Read. <!-- m -->", comments });

    expect(await written()).toMatchObject({
      author: rig.botLogin,
      state: "COMMENTED",
      body: "Read. <!-- m -->",
      commit: pull.commit,
    });
    expect(await lines()).toEqual(["notes.md:3"]);
  });

  it("says in its body what GitHub cannot place, and keeps the rest on its lines", async () => {
    const comments = [
      { path: "notes.md", line: 3, body: "Good." },
      { path: "notes.md", line: 99, body: "Where?" },
      { path: "src/`odd`.js", line: 1, body: "Not here." },
    ];

    await forge.createReview(pull.number, { commit: pull.commit, body: "Read.", comments });

    expect(await lines()).toEqual(["notes.md:3"]);
    expect((await written())?.body).toBe("Read.\n\n`notes.md:99`: Where?\n\n``src/`odd`.js:1``: Not here.");
  });

  it("says everything in its body when GitHub places nothing", async () => {
    const comments = [{ path: "notes.md", line: 3, body: "Good." }];
    const { number, commit } = pull;
    rig.fault({ method: "POST", path: /\/reviews$/, answer: { status: 422 } });

    await forge.createReview(number, { commit, body: "", comments });

    expect(await lines()).toEqual([]);
    expect((await written())?.body).toBe("`notes.md:3`: Good.");
  });

  it("is cut where it would be too long for GitHub", async () => {
    await forge.createReview(pull.number, { commit: pull.commit, body: "x".repeat(70_000), comments: [] });

    expect((await written())?.body.length).toBe(65_000);
  });

  it("needs no comments", async () => {
    await forge.createReview(pull.number, { commit: pull.commit, body: "Nothing to say.", comments: [] });

    expect((await written())?.body).toBe("Nothing to say.");
  });

  it("that GitHub refuses as a whole fails, and so does one that it cannot take now", async () => {
    const review = { commit: pull.commit, body: "Read.", comments: [] };
    const reviews = { method: "POST", path: /\/reviews$/ };
    rig.fault({ ...reviews, answer: { status: 422 } });
    rig.fault({ ...reviews, answer: { status: 502 } });

    await expect(forge.createReview(pull.number, review)).rejects.toMatchObject({ code: "forge-refused" });
    await expect(forge.createReview(pull.number, review)).rejects.toMatchObject({
      code: "forge-unavailable",
    });
  });

  it("is found by its marker, also when its answer was lost, and nobody's copy of it", async () => {
    const marker = "<!-- uwf:review:1 -->";
    await rig.review(REPOSITORY, pull.number, { author: "eve", verdict: "COMMENT", body: marker });
    for (let i = 0; i < 101; i++) {
      await rig.review(REPOSITORY, pull.number, { author: "eve", verdict: "COMMENT", body: `${i}` });
    }
    expect(await forge.hasReview(pull.number, marker)).toBe(false);
    rig.fault({ method: "POST", path: /\/reviews$/, answer: "lost" });

    await expect(
      forge.createReview(pull.number, { commit: pull.commit, body: `Read. ${marker}`, comments: [] }),
    ).rejects.toMatchObject({ code: "forge-unavailable", remedy: "retry" });

    expect(await forge.hasReview(pull.number, marker)).toBe(true);
  });
});
