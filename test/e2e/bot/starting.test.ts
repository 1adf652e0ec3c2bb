import { describe, expect, it } from "vitest";
import { type Bot, runningBot, SUMS } from "../../rigs/bot.ts";
import {
  botComments,
  botPull,
  botPulls,
  door,
  fileOn,
  openIssue,
  quiet,
  say,
  shown,
  shownFirst,
  threadsOf,
} from "../../rigs/story.ts";
import { sumsScript } from "../../rigs/sums-script.ts";

const WAIT = { timeout: 30_000, interval: 100 };

for (const forge of ["github", "forgejo"] as const)
  describe(`work begins on ${forge}`, { timeout: 120_000 }, () => {
    it("by a label, and ends in a pull request", async () => {
      await using bot = await runningBot({ forge });
      const issue = await openIssue(bot);

      await bot.forge.label(SUMS, issue, "uwf", "mona");
      await shown(bot, issue, "Done");

      const pull = await botPull(bot);
      expect(pull).toMatchObject({
        title: "Add instead of subtracting",
        base: "main",
        draft: false,
        state: "open",
        reviewers: ["mona"],
        head: { branch: `uwf/issue-${issue}-the-sum-is-wrong` },
        body: expect.stringMatching(new RegExp(`It adds now\\.[^]*Closes #${issue}\\b`)),
      });
      expect(await fileOn(bot, pull.head.branch, "sum.mjs")).toContain("a + b");
      expect(bot.forge.reactions(SUMS, `issues/${issue}`)).toEqual(["eyes"]);
      await expect.poll(() => bot.forge.states(SUMS, pull.head.commit), WAIT).toEqual(["success"]);
    });

    it("by a command on a line of its own, and by the bot's name", async () => {
      await using bot = await runningBot({ forge });
      const login = bot.forge.botLogin.replace("[bot]", "");

      for (const body of ["/solve", "That is a pity.\n\n/solve  \n", `@${login} solve`]) {
        const issue = await openIssue(bot);
        const { id } = await say(bot, issue, body);
        await shown(bot, issue, "Done");
        expect(bot.forge.reactions(SUMS, `issues/comments/${id}`)).toEqual(["eyes"]);
      }

      expect(await botPulls(bot)).toHaveLength(3);
    });

    it("with a note, another model and a budget", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "coder", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);

      await say(bot, issue, "/solve --model small --budget 2 mind the carry");
      await gate.reached;
      const working = await shownFirst(bot, issue, "of $2.00 left");
      gate.open();
      await shown(bot, issue, "Done");

      expect(working).toContain("**Working.**");
      expect(new Set(bot.model.requests.map(({ model }) => model))).toEqual(new Set(["small"]));
      expect(JSON.stringify(bot.model.requests[0]?.messages)).toContain("mind the carry");
    });

    it("once, when label and /solve come at once", async () => {
      await using bot = await runningBot({ forge });
      const issue = await openIssue(bot);

      await Promise.all([
        bot.forge.label(SUMS, issue, "uwf", "mona"),
        say(bot, issue, "/solve", "lena"),
        say(bot, issue, "/solve", "mona"),
      ]);
      await expect.poll(() => botPulls(bot), WAIT).toHaveLength(1);
      await quiet(bot);

      expect(threadsOf(bot)).toBe(1);
      expect(await botPulls(bot)).toHaveLength(1);
      expect((await botComments(bot, issue)).filter((body) => body.includes("uwf:thread:"))).toHaveLength(1);
    });

    const answered = [
      { said: "/solve --budget 100", answer: "`--budget 100` is too much" },
      { said: "/slove", answer: "`/slove` is no command" },
      { said: "/solve --modle small", answer: "not `--modle`" },
      { said: "/solve --model large", answer: "There is no model `large` here" },
      { said: "/solve\n/stop", answer: "One command per comment" },
      { said: "/approve", answer: "No plan waits for approval here" },
      { said: "/fix", answer: "is for pull requests" },
      { said: "/retry", answer: "There is nothing to start over" },
      { said: "/stop", answer: "Nothing is under way here" },
      { said: "/run", answer: "`/run` needs a workflow" },
      { said: "/run nothing-like-it", answer: "nothing-like-it" },
      { said: "/status", answer: "Nothing has been asked of me here yet" },
      { said: "/help", answer: "- `/solve [note]` works on the issue" },
    ];
    it("not by what cannot be obeyed, which is answered in one comment", { timeout: 240_000 }, async () => {
      await using bot = await runningBot({ forge });
      const issue = await openIssue(bot);

      for (const { said, answer } of answered) {
        const { id } = await say(bot, issue, said);
        await expect
          .poll(() => botComments(bot, issue), { ...WAIT, message: said })
          .toEqual([expect.stringContaining(answer)]);
        expect(bot.forge.reactions(SUMS, `issues/comments/${id}`), said).toEqual(["eyes"]);
        expect((await botComments(bot, issue))[0], said).toContain("To `mona`: ");
      }

      expect(bot.model.requests).toEqual([]);
      expect(await botPulls(bot)).toEqual([]);
    });

    const ignored: { what: string; act(bot: Bot, issue: number): Promise<unknown>; seen?: "confused" }[] = [
      { what: "another label", act: ({ forge }, issue) => forge.label(SUMS, issue, "bug", "mona") },
      { what: "a command in code", act: (bot, issue) => say(bot, issue, "```\n/solve\n```") },
      { what: "a quoted command", act: (bot, issue) => say(bot, issue, "> /solve\n\nNo, not yet.") },
      { what: "a command inside of a line", act: (bot, issue) => say(bot, issue, "Does /solve help?") },
      {
        what: "a comment that was edited into a command",
        act: async (bot, issue) => {
          const { id } = await say(bot, issue, "Hm.");
          await bot.forge.editComment(SUMS, id, { body: "/solve", by: "mona" });
        },
      },
      {
        what: "a label of somebody who may only read",
        act: async ({ forge }, issue) => {
          await forge.setPermission(SUMS, "lena", "write");
          await forge.label(SUMS, issue, "uwf", "reader").catch(() => undefined);
        },
      },
    ];
    it("not by what asks for nothing", { timeout: 240_000 }, async () => {
      await using bot = await runningBot({ forge });
      const issue = await openIssue(bot);

      for (const { act } of ignored) await act(bot, issue);
      await quiet(bot);
      await bot.forge.commentAsBot(SUMS, issue, "/solve");
      await quiet(bot);

      const own = (await botComments(bot, issue)).filter((body) => body !== "/solve");
      expect(own).toEqual([]);
      expect(bot.model.requests).toEqual([]);
      expect(await botPulls(bot)).toEqual([]);
    });

    it("not for strangers, who see that they were heard", async () => {
      await using bot = await runningBot({ forge });
      const issue = await openIssue(bot);

      const { id } = await say(bot, issue, "/solve", "reader");
      await expect.poll(() => bot.forge.reactions(SUMS, `issues/comments/${id}`), WAIT).toEqual(["confused"]);
      await quiet(bot);

      expect(await botComments(bot, issue)).toEqual([]);
      expect(bot.model.requests).toEqual([]);
    });
  });
