import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { Forge } from "../../../src/forge/forge.ts";
import { forgejoForges } from "../../../src/forge/forgejo/forgejo-forges.ts";
import { durations } from "../../fixtures/durations.ts";
import { type ForgejoRig, forgejoRig } from "../../rigs/forgejo.ts";

const REPOSITORY = durations.fullName;
let rig: ForgejoRig;
let forge: Forge;

beforeAll(async () => {
  rig = await forgejoRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [
      { login: "ada", permission: "admin" },
      { login: "wes", permission: "write" },
      { login: "eve", permission: "none" },
    ],
  });
  const { FORGEJO_URL: url, FORGEJO_TOKEN: token } = rig.env;
  const forges = forgejoForges({ url, token, log: silentLog });
  forge = await forges.open({ forge: "forgejo", repository: REPOSITORY, installationId: null });
});

afterAll(() => rig.close());

let branches = 0;
/** A branch with a commit of its own. */
const newBranch = async (): Promise<string> => {
  const name = `uwf/issue-${++branches}-x`;
  await rig.createBranch(REPOSITORY, { name, by: "wes" });
  await rig.writeFile(REPOSITORY, {
    path: "new.txt",
    content: `one ${name}\ntwo ${name}\n`,
    branch: name,
    by: "wes",
  });
  return name;
};

const draftFrom = (branch: string) => ({
  branch,
  base: "main",
  title: "Read milliseconds",
  body: "Closes #1",
  draft: true,
  reviewers: [] as string[],
});

const opened = async (change: Partial<ReturnType<typeof draftFrom>> = {}) =>
  forge.createPullRequest({ ...draftFrom(await newBranch()), ...change });

const onRig = async (wanted: number) =>
  (await rig.pullRequests(REPOSITORY)).find(({ number }) => number === wanted);

describe("pull requests", () => {
  it("are drafts by their title, which nobody else sees", async () => {
    const made = await opened();

    expect(await onRig(made.number)).toMatchObject({
      title: "WIP: Read milliseconds",
      author: rig.botLogin,
      base: "main",
      draft: true,
    });
    expect(await forge.pullRequest(made.number)).toEqual({
      ...made,
      title: "Read milliseconds",
      body: "Closes #1",
      author: rig.botLogin,
      isOwn: true,
      merged: false,
      base: "main",
      draft: true,
      head: { commit: (await onRig(made.number))?.head.commit, repository: REPOSITORY },
    });
    expect(await forge.issue(made.number)).toMatchObject({ isPullRequest: true });
  });

  it("are no drafts when they are not meant to be, whatever the title says", async () => {
    const made = await opened({ draft: false, title: "WIP: [WIP] Read milliseconds" });

    expect(made.draft).toBe(false);
    expect(await onRig(made.number)).toMatchObject({ title: "Read milliseconds", draft: false });
  });

  it("become ready and drafts again, and stay what they are when told twice", async () => {
    const { number } = await opened();
    const titles: (string | undefined)[] = [];
    for (const draft of [false, false, true, true]) {
      await forge.setDraft(number, draft);
      titles.push((await onRig(number))?.title);
    }

    const plain = "Read milliseconds";
    expect(titles).toEqual([plain, plain, `WIP: ${plain}`, `WIP: ${plain}`]);
  });

  it("stay drafts under a new title, and keep the title under a new body", async () => {
    const { number } = await opened();

    await forge.updatePullRequest(number, { title: "Better" });
    await forge.updatePullRequest(number, { body: "So." });

    expect(await onRig(number)).toMatchObject({ title: "WIP: Better", body: "So." });
  });

  it("are opened once: a second is the first", async () => {
    const made = await opened();

    expect(await forge.createPullRequest(draftFrom(made.branch))).toEqual(made);
    expect(await forge.findPullRequest(made.branch)).toEqual(made);
  });

  it("are found when they are closed and their branch is gone, the newest of them, and the bot's alone", async () => {
    const branch = await newBranch();
    const first = await forge.createPullRequest(draftFrom(branch));
    await rig.closePullRequest(REPOSITORY, first.number, "ada");
    const foreign = { branch, title: "Mine", body: "", author: "wes" };
    const { number: others } = await rig.openPullRequest(REPOSITORY, foreign);
    expect(await forge.findPullRequest(branch)).toMatchObject({ number: first.number, state: "closed" });
    await rig.closePullRequest(REPOSITORY, others, "wes");
    const second = await forge.createPullRequest(draftFrom(branch));
    await rig.closePullRequest(REPOSITORY, second.number, "ada");
    await rig.deleteBranch(REPOSITORY, branch);

    expect(await forge.findPullRequest(branch)).toEqual({ ...second, state: "closed" });
    expect(await forge.findPullRequest("uwf/never")).toBeUndefined();
  });

  it("are found behind the first page", async () => {
    const { number, branch } = await opened();
    for (let i = 0; i < 50; i++) {
      const next = await opened();
      await rig.closePullRequest(REPOSITORY, next.number, "ada");
    }

    expect(await forge.findPullRequest(branch)).toMatchObject({ number });
  });

  it("ask those for reviews whom Forgejo lets them ask", async () => {
    const { number } = await opened({ reviewers: ["eve", "nobody-there", "wes", rig.botLogin, "ada"] });

    expect((await onRig(number))?.reviewers).toEqual(["wes", "ada"]);
  });

  it("say what Forgejo says about a branch that is not there", async () => {
    await expect(forge.createPullRequest(draftFrom("uwf/not-pushed"))).rejects.toMatchObject({
      code: "forge-missing",
      message: expect.stringContaining("uwf/not-pushed"),
    });
  });

  it("tell whose they are and where their branch is", async () => {
    const open = async (fork: string | null) =>
      rig.openPullRequest(REPOSITORY, {
        branch: await newBranch(),
        title: "t",
        body: "",
        author: "wes",
        fork,
      });
    const forked = await open("wes/durations");
    const gone = await open(null);
    const merged = await opened({ draft: false });
    await rig.mergePullRequest(REPOSITORY, merged.number, "ada");

    expect(await forge.pullRequest(forked.number)).toMatchObject({
      isOwn: false,
      branch: forked.head.branch,
      head: { repository: "wes/durations" },
    });
    expect((await forge.pullRequest(gone.number)).head).toEqual({
      commit: gone.head.commit,
      repository: null,
    });
    expect(await forge.pullRequest(merged.number)).toMatchObject({ merged: true, state: "closed" });
  });

  it("are not issues", async () => {
    const { number } = await rig.openIssue(REPOSITORY, { title: "a", body: "", author: "wes" });

    await expect(forge.pullRequest(number)).rejects.toMatchObject({ code: "forge-missing" });
  });
});

describe("reviews", () => {
  const reviewed = async (...lines: { line: number; body: string }[]) => {
    const { number } = await opened();
    const comments = lines.map((each) => ({ path: "new.txt", ...each }));
    const review = await rig.review(REPOSITORY, number, { author: "wes", verdict: "COMMENT", comments });
    return { number, ...review };
  };

  it("are conversations about lines, with their answers", async () => {
    const { number, conversations } = await reviewed(
      { line: 2, body: "Why two?" },
      { line: 1, body: "One!" },
    );
    await rig.reply(REPOSITORY, number, {
      conversation: conversations[0] ?? "",
      author: "ada",
      body: "Indeed.",
    });

    const threads = await forge.reviewThreads(number);

    expect(threads).toMatchObject([
      {
        path: "new.txt",
        line: 2,
        isResolved: false,
        diffHunk: expect.stringContaining("+two"),
        comments: [
          { author: "wes", isOwn: false, body: "Why two?", at: expect.any(Number) },
          { author: "ada", isOwn: false, body: "Indeed." },
        ],
      },
      { line: 1, comments: [{ body: "One!" }] },
    ]);
  });

  it("are answered in their own conversation", async () => {
    const { number } = await reviewed({ line: 2, body: "Why two?" });
    const [thread] = await forge.reviewThreads(number);

    await forge.replyToReview(number, thread?.id ?? "", "Because.");

    expect(await forge.reviewThreads(number)).toMatchObject([
      {
        id: thread?.id,
        comments: [{ author: "wes" }, { author: rig.botLogin, isOwn: true, body: "Because." }],
      },
    ]);
    expect(await rig.conversations(REPOSITORY, number)).toHaveLength(1);
  });

  it("are answered on a line that the pull request takes away", async () => {
    const { number } = await opened();
    await rig.api("wes", "POST", `/repos/${REPOSITORY}/pulls/${number}/reviews`, {
      event: "REQUEST_CHANGES",
      body: "No.",
      comments: [{ path: "package.json", old_position: 3, body: "Keep it." }],
    });
    const [thread] = await forge.reviewThreads(number);

    await forge.replyToReview(number, thread?.id ?? "", "Kept.");

    expect(await forge.reviewThreads(number)).toMatchObject([
      { path: "package.json", line: null, comments: [{ body: "Keep it." }, { body: "Kept." }] },
    ]);
  });

  it("are two conversations where two reviews speak of one line", async () => {
    const { number } = await reviewed({ line: 1, body: "a" });
    const comments = [{ path: "new.txt", line: 1, body: "b" }];
    await rig.review(REPOSITORY, number, { author: "ada", verdict: "REQUEST_CHANGES", comments });

    const bodies = (await forge.reviewThreads(number)).map(({ comments: [first] }) => first?.body);

    expect(bodies).toEqual(["a", "b"]);
  });

  it("are resolved when somebody resolved them", async () => {
    const { number, conversations } = await reviewed({ line: 1, body: "a" }, { line: 2, body: "b" });
    await rig.resolve(REPOSITORY, number, { conversation: conversations[1] ?? "", by: "wes" });

    expect((await forge.reviewThreads(number)).map(({ isResolved }) => isResolved)).toEqual([false, true]);
  });

  it("have no conversation where a review says something of the whole alone", async () => {
    const { number } = await opened();
    await rig.review(REPOSITORY, number, { author: "wes", verdict: "APPROVE", body: "Fine." });

    expect(await forge.reviewThreads(number)).toEqual([]);
  });

  it("refuse an answer to what is no conversation", async () => {
    await expect(forge.replyToReview(1, "../1", "x")).rejects.toMatchObject({ code: "forge-review-thread" });
  });

  it("are written on lines, and found again by their marker when they are its own", async () => {
    const { number } = await rig.openPullRequest(REPOSITORY, {
      ...{ branch: await newBranch(), title: "t", body: "", author: "wes" },
    });
    const marker = "<!-- uwf:review:1 -->";
    const body = `${marker}\nLooks odd.`;
    await rig.review(REPOSITORY, number, { author: "wes", verdict: "COMMENT", body });
    expect(await forge.hasReview(number, marker)).toBe(false);
    const { commit } = (await forge.pullRequest(number)).head;

    await forge.createReview(number, {
      commit,
      body,
      comments: [{ path: "new.txt", line: 1, body: "Here." }],
    });

    expect(await forge.hasReview(number, marker)).toBe(true);
    expect((await rig.reviews(REPOSITORY, number)).at(-1)).toMatchObject({ state: "COMMENT", commit, body });
    expect(await rig.conversations(REPOSITORY, number)).toMatchObject([
      { path: "new.txt", line: 1, comments: [{ author: rig.botLogin, body: "Here." }] },
    ]);
  });

  it("tell lines in the body where Forgejo refuses them", async () => {
    const { number } = await opened();
    rig.fault({ method: "POST", path: /\/reviews$/, answer: { status: 422 } });

    await forge.createReview(number, {
      commit: (await forge.pullRequest(number)).head.commit,
      body: "Two things.",
      comments: [{ path: "gone.txt", line: 9, body: "Lost." }],
    });

    expect(await rig.reviews(REPOSITORY, number)).toMatchObject([
      { body: "Two things.\n\n`gone.txt:9`: Lost." },
    ]);
  });
});
