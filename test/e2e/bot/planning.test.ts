import { describe, expect, it } from "vitest";
import { readBundledWorkflow } from "../../../src/workflow/bundled.ts";
import { type Bot, runningBot, SUMS } from "../../rigs/bot.ts";
import {
  botComments,
  botPulls,
  door,
  fileOn,
  openIssue,
  quiet,
  read,
  say,
  shown,
  shownFirst,
} from "../../rigs/story.ts";
import { sumsScript } from "../../rigs/sums-script.ts";

const WAIT = { timeout: 30_000, interval: 100 };
const WAITS = "**Waiting for approval of the plan below.**";

const planned = async (bot: Bot): Promise<number> => {
  const issue = await openIssue(bot);
  await say(bot, issue, "/plan");
  await shownFirst(bot, issue, WAITS);
  await read();
  return issue;
};

/** Issues are solved by a workflow of the repository's own, whose only role the bundled one plays. */
const own = `
version: 1
name: solve-issue
description: Another workflow solves the issue.
roles:
  solver:
    description: Solves.
    workflow: bundled
    schema: { type: object, required: [title], properties: { title: { type: string } } }
moderator:
  - { from: $START, to: solver }
  - { from: solver, to: $END }
`;
const plannedBelow = async (bot: Bot): Promise<number> => {
  const bundled = (await readBundledWorkflow("solve-issue"))?.replace("name: solve-issue", "name: bundled");
  for (const [name, content] of Object.entries({ "solve-issue": own, bundled: bundled ?? "" }))
    await bot.forge.writeFile(SUMS, {
      ...{ path: `.uwf/workflows/${name}.yaml`, content },
      ...{ branch: "main", by: "lena" },
    });
  return planned(bot);
};

const called = async (bot: Bot, issue: number): Promise<void> => {
  const last = async () => (await botComments(bot, issue)).at(-1);
  await expect.poll(last, WAIT).toContain("@mona: the plan waits for your approval");
};

for (const forge of ["github", "forgejo"] as const)
  describe(`a plan on ${forge}`, { timeout: 120_000 }, () => {
    it("is shown, waits, calls for its approval, and is carried out when it is approved", async () => {
      await using bot = await runningBot({ forge });
      const issue = await planned(bot);
      await called(bot, issue);
      expect((await botComments(bot, issue))[0]).toMatch(/^1\. Add instead of subtracting/m);
      expect(await botPulls(bot)).toEqual([]);

      await say(bot, issue, "/approve", "reader");
      await say(bot, issue, "/approve because it is good");
      await shownFirst(bot, issue, "`/approve` stands alone");
      await say(bot, issue, "/approve", "lena");
      await shown(bot, issue, "Done");

      expect(await botPulls(bot)).toMatchObject([{ draft: false }]);
    });

    it("is not approved when somebody has edited it in the comment", async () => {
      await using bot = await runningBot({ forge });
      const issue = await planned(bot);
      const [live] = await bot.forge
        .comments(SUMS, issue)
        .then((all) => all.filter(({ author }) => author === bot.forge.botLogin));

      const body = (live?.body ?? "").replace("Add instead of subtracting", "Delete everything");
      await bot.forge.editComment(SUMS, live?.id ?? 0, { body, by: "mona" });
      await say(bot, issue, "/approve", "lena");

      const comment = await shownFirst(bot, issue, "somebody has edited it");
      expect(comment).toContain(WAITS);
      expect(comment).not.toContain("Delete everything");
      expect(await botPulls(bot)).toEqual([]);
    });

    it("is void when its branch has moved on, and a new one can be made", async () => {
      await using bot = await runningBot({ forge });
      const issue = await planned(bot);

      await bot.forge.writeFile(SUMS, { path: "NEW.md", content: "New.\n", branch: "main", by: "lena" });
      await say(bot, issue, "/approve");
      await shownFirst(bot, issue, "`main` has moved from");
      await say(bot, issue, "/plan");
      const live = async () =>
        (await botComments(bot, issue)).find(
          (comment) => comment.includes(WAITS) && !comment.includes("Not approved"),
        );
      await expect.poll(live, WAIT).toContain("1. Add instead of subtracting");
      await read();
      expect(await botPulls(bot)).toEqual([]);
      await say(bot, issue, "/approve");
      await expect.poll(() => botPulls(bot), WAIT).toHaveLength(1);
    });

    it("is not approved by a word that came before it", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "planner", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/plan");
      await gate.reached;

      await say(bot, issue, "/approve");
      await shownFirst(bot, issue, "No plan waits for approval here");
      gate.open();
      await shownFirst(bot, issue, WAITS);
      await quiet(bot);

      expect((await botComments(bot, issue))[0]).toContain(WAITS);
      expect(await botPulls(bot)).toEqual([]);
    });

    it("is shown, waits and is carried out as well where a workflow that plays a role has made it", async () => {
      await using bot = await runningBot({ forge });
      const issue = await plannedBelow(bot);
      await called(bot, issue);
      expect((await botComments(bot, issue))[0]).toMatch(/^1\. Add instead of subtracting/m);

      await say(bot, issue, "/resume");
      await shownFirst(bot, issue, "`/approve` goes on with it");
      await say(bot, issue, "/resume Multiply, please.");
      await shownFirst(bot, issue, "1. Multiply");
      await read();
      expect(await botPulls(bot)).toEqual([]);
      await say(bot, issue, "/approve");
      await shown(bot, issue, "Done");

      expect(await botPulls(bot)).toHaveLength(1);
    });

    it("is approved there only as it was shown, and for its commit", async () => {
      await using bot = await runningBot({ forge });
      const issue = await plannedBelow(bot);
      const live = (await bot.forge.comments(SUMS, issue)).find(
        ({ author }) => author === bot.forge.botLogin,
      );
      const body = live?.body ?? "";

      const other = body.replace("Add instead of subtracting", "Delete everything");
      await bot.forge.editComment(SUMS, live?.id ?? 0, { body: other, by: "mona" });
      await say(bot, issue, "/approve", "lena");
      await shownFirst(bot, issue, "somebody has edited it");
      await bot.forge.writeFile(SUMS, { path: "NEW.md", content: "New.\n", branch: "main", by: "lena" });
      await read();
      await say(bot, issue, "/approve");

      expect(await shownFirst(bot, issue, "`main` has moved from")).toContain(WAITS);
      expect(await botPulls(bot)).toEqual([]);
    });

    it("is changed by a note, and the changed one is carried out", async () => {
      await using bot = await runningBot({ forge });
      const issue = await planned(bot);

      await say(bot, issue, "/resume");
      await shownFirst(bot, issue, "`/approve` goes on with it");
      await say(bot, issue, "/resume Multiply, please.");
      await shownFirst(bot, issue, "1. Multiply");
      await read();
      await say(bot, issue, "/approve");
      await shown(bot, issue, "Done");

      const [pull] = await botPulls(bot);
      expect(await fileOn(bot, pull?.head.branch ?? "", "sum.mjs")).toContain("a + b");
      const coder = bot.model.requests.find(({ messages }) =>
        /\*\*coder\*\*/.test(messages[0]?.content ?? ""),
      );
      expect(JSON.stringify(coder?.messages)).toContain("Multiply");
    });
  });
