import { describe, expect, it } from "vitest";
import { type Bot, runningBot, SUMS } from "../../rigs/bot.ts";
import type { SeenPullRequest } from "../../rigs/forge-rig.ts";
import {
  botComments,
  botPull,
  botPulls,
  commitsOn,
  door,
  quiet,
  say,
  shown,
  shownFirst,
  solved,
} from "../../rigs/story.ts";
import { sumsScript } from "../../rigs/sums-script.ts";

const WAIT = { timeout: 45_000, interval: 100 };

/** The branch has so many commits more than `pull`, which is still among them. */
const expectOnTop = async (bot: Bot, { head }: SeenPullRequest, more: number): Promise<void> => {
  const git = bot.forge.bare(SUMS).git;
  await git("merge-base", "--is-ancestor", head.commit, `refs/heads/${head.branch}`);
  const added = await git("rev-list", "--count", `${head.commit}..refs/heads/${head.branch}`);
  expect(Number(added)).toBe(more);
};

const fails = (bot: Bot, { head }: SeenPullRequest, log = "not ok 1 - adds") =>
  bot.forge.finishCheck(SUMS, head, { name: "test", passed: false, log });

for (const forge of ["github", "forgejo"] as const)
  describe(`the bot's pull request on ${forge}`, { timeout: 120_000 }, () => {
    it("gets one commit more by /fix, on the same branch", async () => {
      await using bot = await runningBot({ forge });
      const { pull } = await solved(bot);

      await say(bot, pull.number, "/fix");
      await expect
        .poll(() => botComments(bot, pull.number), WAIT)
        .toEqual([expect.stringContaining("No review comment is open here")]);
      const { id } = await say(bot, pull.number, "/fix Write a note, please.");
      await shownFirst(bot, pull.number, "");
      const live = async () =>
        (await botComments(bot, pull.number)).find((body) => body.includes("uwf:thread:"));
      await expect.poll(live, WAIT).toContain("**Done.**");

      expect(bot.forge.reactions(SUMS, `issues/comments/${id}`)).toEqual(["eyes"]);
      await expectOnTop(bot, pull, 1);
      expect(await botPull(bot)).toMatchObject({ number: pull.number, title: pull.title, body: pull.body });
    });

    it("is revised when it is reviewed, with an answer in each conversation", async () => {
      await using bot = await runningBot({ forge });
      const { pull } = await solved(bot);

      await bot.forge.review(SUMS, pull.number, {
        author: "lena",
        verdict: "REQUEST_CHANGES",
        body: "Two things.",
        comments: [{ path: "sum.mjs", line: 1, body: "Name the operands." }],
      });
      await shown(bot, pull.number, "Done");

      expect(await bot.forge.conversations(SUMS, pull.number)).toMatchObject([
        {
          comments: [
            { author: "lena", body: "Name the operands." },
            { author: bot.forge.botLogin, body: expect.stringContaining("It is in notes now.") },
          ],
        },
      ]);
      await expectOnTop(bot, pull, 1);
      await quiet(bot);
      await expectOnTop(bot, pull, 1);
    });

    it("is left alone once it is merged", async () => {
      await using bot = await runningBot({ forge });
      const { pull } = await solved(bot);

      await bot.forge.mergePullRequest(SUMS, pull.number, "lena");
      await bot.forge.review(SUMS, pull.number, { author: "lena", verdict: "COMMENT", body: "Too late?" });
      await fails(bot, pull);
      await say(bot, pull.number, "/fix it");
      await expect
        .poll(() => botComments(bot, pull.number), WAIT)
        .toEqual([expect.stringContaining("This pull request is merged")]);
      await quiet(bot);

      expect(await botPull(bot)).toMatchObject({ merged: true });
      expect(
        bot.model.requests.some(({ messages }) =>
          /\*\*(?:reviser|fixer)\*\*/.test(messages[0]?.content ?? ""),
        ),
      ).toBe(false);
    });

    it("is left alone when it is approved, and when somebody reviews who may not write", async () => {
      await using bot = await runningBot({ forge });
      const { pull } = await solved(bot);

      await bot.forge.review(SUMS, pull.number, { author: "lena", verdict: "APPROVE" });
      const body = "/fix everything\n\nDelete it.";
      await bot.forge
        .review(SUMS, pull.number, { author: "reader", verdict: "COMMENT", body })
        .catch(() => null);
      await quiet(bot);

      expect(await botComments(bot, pull.number)).toEqual([]);
      await expectOnTop(bot, pull, 0);
    });

    it("is mended when its checks fail, twice at most until somebody asks", async () => {
      await using bot = await runningBot({ forge });
      const { pull, issue } = await solved(bot);

      for (const tries of [1, 2]) {
        await fails(bot, await botPull(bot));
        await expect.poll(async () => (await commitsOn(bot, pull.head.branch)).length, WAIT).toBe(2 + tries);
        const done = async () =>
          (await botComments(bot, pull.number)).filter((body) => body.includes("**Done.**")).length;
        await expect.poll(done, WAIT).toBe(tries);
      }
      await fails(bot, await botPull(bot));
      const said = async () => (await botComments(bot, pull.number)).join("\n");
      await expect.poll(said, WAIT).toContain("checks still fail after 2 tries");
      const calls = async () =>
        (await botComments(bot, pull.number)).filter((body) => body.includes("uwf:call:"));
      await expect
        .poll(calls, WAIT)
        .toEqual([expect.stringContaining("checks still fail after 2 tries of mine;")]);
      await fails(bot, await botPull(bot));
      await quiet(bot);
      expect(await calls()).toHaveLength(1);
      await expectOnTop(bot, pull, 2);
      await say(bot, pull.number, "/ci");
      await expect.poll(async () => (await commitsOn(bot, pull.head.branch)).length, WAIT).toBe(5);

      const task = JSON.stringify(
        bot.model.requests.find(({ messages }) => /\*\*fixer\*\*/.test(messages[0]?.content ?? ""))?.messages,
      );
      expect(task).toContain('Check \\"test\\"');
      if (forge === "github") expect(task).toContain("not ok 1 - adds");
      expect(await botComments(bot, issue)).toHaveLength(1);
    });

    it("stays a draft until its checks pass, and is ready then", async () => {
      const script = sumsScript({ verification: "not-run" });
      await using bot = await runningBot({ forge, script });
      const { pull } = await solved(bot);
      expect(pull.draft).toBe(true);

      await bot.forge.finishCheck(SUMS, pull.head, { name: "test", passed: true, log: "" });

      await expect.poll(async () => (await botPull(bot)).draft, WAIT).toBe(false);
      expect(
        bot.model.requests.some(({ messages }) => /\*\*fixer\*\*/.test(messages[0]?.content ?? "")),
      ).toBe(false);
    });

    it("is reviewed by /review, like anybody's", async () => {
      await using bot = await runningBot({ forge });
      await bot.forge.createBranch(SUMS, { name: "add", by: "lena" });
      const content = "export const sum = (a, b) => b + a;\n";
      await bot.forge.writeFile(SUMS, { path: "sum.mjs", content, branch: "add", by: "lena" });
      const { number, head } = await bot.forge.openPullRequest(SUMS, {
        ...{ branch: "add", title: "Add", body: "It adds.", author: "lena" },
      });

      await say(bot, number, "/fix it");
      await expect
        .poll(() => botComments(bot, number), WAIT)
        .toEqual([expect.stringContaining("I push only to branches of pull requests that I have opened")]);
      await say(bot, number, "/review");
      const own = async () =>
        (await bot.forge.reviews(SUMS, number)).filter(({ author }) => author === bot.forge.botLogin);
      await expect.poll(own, WAIT).toMatchObject([{ body: expect.stringContaining("One thing.") }]);

      expect(await bot.forge.conversations(SUMS, number)).toMatchObject([
        { path: "sum.mjs", line: 1, comments: [{ body: expect.stringContaining("This needs a test.") }] },
      ]);
      expect((await bot.forge.bare(SUMS).branches()).get("add")).toBe(head.commit || expect.anything());
    });

    it("keeps what somebody else has pushed meanwhile; /retry starts over from there", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "reviser", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const { pull } = await solved(bot);

      await say(bot, pull.number, "/fix Write a note.");
      await gate.reached;
      const { branch } = pull.head;
      await bot.forge.writeFile(SUMS, { path: "theirs.md", content: "Mine.\n", branch, by: "lena" });
      gate.open();
      await shownFirst(bot, pull.number, "has moved on");
      await expectOnTop(bot, pull, 1);
      await say(bot, pull.number, "/retry");
      await expect.poll(async () => (await commitsOn(bot, branch)).length, WAIT).toBe(4);

      expect((await commitsOn(bot, branch))[1]).toMatch(/theirs\.md/);
      expect(await botPulls(bot)).toHaveLength(1);
    });

    it("gets nothing more once it was closed, and the issue's next work gets another", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "reviser", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const { issue, pull } = await solved(bot);

      await say(bot, pull.number, "/fix Write a note.");
      await gate.reached;
      await bot.forge.closePullRequest(SUMS, pull.number, "lena");
      gate.open();
      await shownFirst(bot, pull.number, "is closed by now");
      await expectOnTop(bot, pull, 0);
      await say(bot, issue, "/solve");
      await expect.poll(() => botPulls(bot), WAIT).toHaveLength(2);

      expect(await botPulls(bot)).toMatchObject([
        { state: "closed", head: pull.head },
        { state: "open", head: { branch: `${pull.head.branch}-2` } },
      ]);
    });
  });
