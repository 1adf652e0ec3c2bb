import { describe, expect, it } from "vitest";
import { type Bot, runningBot, SUMS } from "../../rigs/bot.ts";
import {
  botComments,
  botPull,
  botPulls,
  door,
  openIssue,
  quiet,
  say,
  shown,
  shownFirst,
} from "../../rigs/story.ts";
import { sumsScript } from "../../rigs/sums-script.ts";

const WAIT = { timeout: 30_000, interval: 100 };

const configure = ({ forge }: Bot, content: string, repository = SUMS) =>
  forge.writeFile(repository, {
    ...{ path: forge.configPath, content, branch: "main" },
    by: "mona",
  });

for (const forge of ["github", "forgejo"] as const)
  describe(`what the bot may do on ${forge}`, { timeout: 120_000 }, () => {
    it("ends when permission is taken away before anything is published", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "coder", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      await gate.reached;

      await bot.forge.setPermission(SUMS, "mona", "read");
      gate.open();

      expect(await shownFirst(bot, issue, "**Failed.**")).toContain(
        "mona may not write to acme/sums any more",
      );
      expect(await botPulls(bot)).toEqual([]);
      expect([...(await bot.forge.bare(SUMS).branches()).keys()]).toEqual(["main"]);
      await say(bot, issue, "/retry");
      await quietAs(bot, "lena");
      expect(await botPulls(bot)).toEqual([]);
      await say(bot, issue, "/retry", "lena");
      await expect.poll(() => botPulls(bot), WAIT).toHaveLength(1);
    });

    it("is said by the repository's configuration", async () => {
      await using bot = await runningBot({ forge });
      await configure(bot, CONFIG);
      const issue = await openIssue(bot);

      await bot.forge.label(SUMS, issue, "uwf", "mona");
      await say(bot, issue, "/plan");
      await quiet(bot);
      expect(await botComments(bot, issue)).toEqual([]);
      await bot.forge.label(SUMS, issue, "please", "mona");
      await shown(bot, issue, "Done");

      expect(await botPull(bot)).toMatchObject({
        draft: true,
        head: { branch: `robot/issue-${issue}-the-sum-is-wrong` },
        reviewers: expect.arrayContaining(["mona", "lena"]),
      });
      expect(JSON.stringify(bot.model.requests[0]?.messages[0])).toContain("Be brief in all things.");
    });

    it("is inherited from the organisation", async () => {
      const repositories = [forge === "github" ? "acme/.github" : "acme/.forgejo"];
      await using bot = await runningBot({ forge, repositories });
      await configure(bot, CONFIG, bot.forge.organisationRepository("acme"));
      await configure(bot, "draft: never\n");
      const issue = await openIssue(bot);

      await bot.forge.label(SUMS, issue, "please", "mona");
      await shown(bot, issue, "Done");

      expect(await botPull(bot)).toMatchObject({
        draft: false,
        head: { branch: `robot/issue-${issue}-the-sum-is-wrong` },
      });
    });

    it("is unclear while that is wrong, which is said with file and line to who asks", async () => {
      await using bot = await runningBot({ forge });
      await configure(bot, "draft: never\nlables: { please: solve-issue }\n");
      const issue = await openIssue(bot);

      await bot.forge.label(SUMS, issue, "bug", "mona");
      await say(bot, issue, "/solve", "reader");
      await say(bot, issue, "/solve");
      await expect
        .poll(() => botComments(bot, issue), WAIT)
        .toEqual([expect.stringMatching(new RegExp(`To \`mona\`: .*${bot.forge.configPath}:2`))]);

      expect(bot.model.requests).toEqual([]);
    });

    it("is nothing where the server's configuration does not let it work", async () => {
      const config = "allow: { repositories: [acme/others] }\n";
      await using bot = await runningBot({ forge, config, repositories: ["acme/others"] });
      const issue = await openIssue(bot);

      await bot.forge.label(SUMS, issue, "uwf", "mona");
      await say(bot, issue, "/solve");
      const there = { title: "The sum is wrong", body: "", author: "mona" };
      const { number } = await bot.forge.openIssue("acme/others", there);
      await bot.forge.comment("acme/others", number, { body: "/solve", author: "mona" });
      await expect.poll(() => bot.forge.pullRequests("acme/others"), WAIT).toHaveLength(1);

      expect(await botComments(bot, issue)).toEqual([]);
      expect(await botPulls(bot)).toEqual([]);
    });

    it("ends when it is removed from the repository", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "coder", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      await gate.reached;
      const asked = bot.model.requests.length;

      await bot.forge.removeBot(SUMS);

      await expect
        .poll(() => bot.events.findLast(({ kind }) => kind === "status"), WAIT)
        .toMatchObject({ status: "cancelled", reason: "The bot was removed from the repository." });
      gate.open();
      expect(bot.model.requests).toHaveLength(asked);
    });
  });

/** As `quiet`, when mona may not ask. */
const quietAs = async (bot: Bot, login: string): Promise<void> => {
  const issue = await openIssue(bot);
  await say(bot, issue, "/help", login);
  await expect.poll(() => botComments(bot, issue), WAIT).toEqual([expect.stringContaining("/solve")]);
};

const CONFIG = `
labels: { uwf: null, please: solve-issue }
commands: { plan: false }
branchPrefix: robot/
draft: always
reviewers: [lena]
instructions: Be brief in all things.
`;
