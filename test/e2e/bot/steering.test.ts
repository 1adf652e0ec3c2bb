import { describe, expect, it } from "vitest";
import { calls, resolves } from "../../../src/llm/scripted-model.ts";
import { runningBot, SUMS } from "../../rigs/bot.ts";
import type { RoleStep } from "../../rigs/model-script.ts";
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
  solved,
} from "../../rigs/story.ts";
import { preparation, sumsScript } from "../../rigs/sums-script.ts";

const WAIT = { timeout: 30_000, interval: 100 };

for (const forge of ["github", "forgejo"] as const)
  describe(`work under way on ${forge}`, { timeout: 120_000 }, () => {
    it("is stopped by /stop, and starts over by /retry", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "coder", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      await gate.reached;

      await say(bot, issue, "/retry");
      await shownFirst(bot, issue, "`/stop` ends it, and then `/retry` starts over");
      await say(bot, issue, "/stop", "reader");
      await say(bot, issue, "/stop", "lena");
      expect(await shown(bot, issue, "Stopped")).toContain("**Stopped** by lena.");
      expect(await botPulls(bot)).toEqual([]);
      gate.open();
      await say(bot, issue, "/retry");
      await expect.poll(() => botPulls(bot), WAIT).toHaveLength(1);
    });

    it("rests by /pause, says so by /status, and goes on by /resume with a note", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "coder", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      await gate.reached;

      await say(bot, issue, "/pause");
      gate.open();
      expect(await shown(bot, issue, "Paused")).toContain("**Paused** by mona.");
      const asked = bot.model.requests.length;
      const { id } = await say(bot, issue, "/status");
      await quiet(bot);
      expect(bot.forge.reactions(SUMS, `issues/comments/${id}`)).toEqual(["eyes"]);
      expect(bot.model.requests).toHaveLength(asked);
      await say(bot, issue, "/resume Mind the carry.");
      await shown(bot, issue, "Done");

      expect(JSON.stringify(bot.model.requests.at(asked)?.messages)).toContain("Mind the carry.");
      expect(await botPulls(bot)).toHaveLength(1);
    });

    it("asks a person, calls for the answer once, and goes on with it", async () => {
      const asks = resolves({ $status: "$SUSPEND", reason: "Integers alone?" });
      const prepares: RoleStep = ({ messages }) =>
        JSON.stringify(messages).includes("All numbers.") ? resolves(preparation) : asks;
      const script = sumsScript({ roles: { preparer: [prepares] } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      await shownFirst(bot, issue, "**Waiting for an answer.**");
      await expect
        .poll(() => botComments(bot, issue), WAIT)
        .toEqual([
          expect.stringContaining("> Integers alone?"),
          expect.stringContaining("@mona: a question waits for your answer"),
        ]);

      await say(bot, issue, "/resume All numbers.");
      await shown(bot, issue, "Done");

      expect(JSON.stringify(bot.model.requests.at(1)?.messages)).toContain("All numbers.");
      expect(await botPulls(bot)).toHaveLength(1);
    });

    it("says that it has failed where the workflow has that plays a role, and makes another attempt", async () => {
      const fails: RoleStep = ({ messages }) =>
        JSON.stringify(messages).includes("It is back.")
          ? FIX
          : { fault: "status", status: 400, body: { error: { message: "no such model" } } };
      const script = sumsScript({ roles: { coder: [fails, resolves({ ...REPORT, decided: null })] } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");

      const comment = await shownFirst(bot, issue, "**Failed.**");
      expect(comment).toMatch(/> The workflow develop failed: .*no such model/);
      expect(comment).toContain("- [ ] `developer` (failed)");
      await expect
        .poll(async () => (await botComments(bot, issue)).at(-1), WAIT)
        .toContain("@mona: the work has failed");
      await say(bot, issue, "/resume It is back.");
      await shown(bot, issue, "Done");

      expect(await botPulls(bot)).toMatchObject([{ draft: false }]);
    });

    it("asks what is to be done where its review refuses every attempt, and has the answer carried out", async () => {
      const refuses: RoleStep = ({ messages }) =>
        resolves(
          JSON.stringify(messages).includes("A person has decided:\\nIntegers alone.")
            ? { status: "approved", summary: "As decided.", findings: [] }
            : { status: "changes", summary: "Not all numbers.", findings: [FINDING] },
        );
      const decides: RoleStep = ({ messages }) => {
        const decided = JSON.stringify(messages).includes("Integers alone.") ? "Integers alone." : null;
        return resolves({ ...REPORT, decided });
      };
      const script = sumsScript({ roles: { reviewer: [refuses], coder: [FIX, decides] } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");

      const comment = await shownFirst(bot, issue, "**Waiting for an answer.**");
      expect(comment).toMatch(/the review still finds:.*sum\.mjs.*It loses 0\.1/s);
      expect(await botPulls(bot)).toEqual([]);
      await say(bot, issue, "/resume Integers alone.");
      await shown(bot, issue, "Done");

      expect(await botPulls(bot)).toMatchObject([{ draft: false }]);
    });

    it("goes another way from a step by /fork, in a draft of its own", async () => {
      await using bot = await runningBot({ forge });
      const { issue, pull } = await solved(bot);

      const before = bot.model.requests.length;
      await say(bot, issue, "/fork 1 --model small Try another way.");
      await expect.poll(() => botPulls(bot), WAIT).toHaveLength(2);
      const lives = async () => (await botComments(bot, issue)).filter((body) => body.includes("**Done.**"));
      await expect.poll(lives, WAIT).toHaveLength(2);

      const [first, second] = await botPulls(bot);
      expect(first).toMatchObject({ number: pull.number, head: pull.head });
      expect(second).toMatchObject({ draft: true, head: { branch: `${pull.head.branch}-2` } });
      expect(new Set(bot.model.requests.slice(before).map(({ model }) => model))).toEqual(new Set(["small"]));
    });

    it("is another workflow's by /run and by a word of the repository's own", async () => {
      await using bot = await runningBot({ forge });
      const file = { branch: "main", by: "mona" };
      await bot.forge.writeFile(SUMS, { path: ".uwf/workflows/tidy.yaml", content: TIDY, ...file });
      const config = "commands: { tidy: tidy, stop: false }\n";
      await bot.forge.writeFile(SUMS, { path: bot.forge.configPath, content: config, ...file });
      const issue = await openIssue(bot);

      await say(bot, issue, "/run tidy all of it");
      expect(await shown(bot, issue, "Done")).toContain("`tidy`");
      const second = await openIssue(bot);
      await say(bot, second, "/tidy the rest");
      await shown(bot, second, "Done");
      await say(bot, second, "/stop");
      await quiet(bot);

      expect((await botComments(bot, second))[0]).not.toContain("To `mona`");
      expect(JSON.stringify(bot.model.requests[0]?.messages)).toContain("all of it");
      expect(JSON.stringify(bot.model.requests[1]?.messages)).toContain("the rest");
    });

    it("says that nothing was pushed where /run names a workflow that publishes nothing", async () => {
      await using bot = await runningBot({ forge });
      const issue = await openIssue(bot);

      await say(bot, issue, "/run develop");
      const comment = await shown(bot, issue, "Done");

      expect(comment).toContain(
        "Nothing was pushed: no role of `develop` publishes. The file that it changed is kept with its last step.",
      );
      expect(comment).toContain("`/solve [note]` resolves the issue in a pull request");
      expect(await botPulls(bot)).toEqual([]);
    });

    it("says why it failed, calls for help once, and goes on by /resume", async () => {
      let isBroken = true;
      const script = sumsScript();
      await using bot = await runningBot({
        forge,
        script: (request) =>
          isBroken && /\*\*submitter\*\*/.test(request.messages[0]?.content ?? "")
            ? { fault: "status", status: 400, body: { error: { message: "no such model" } } }
            : script(request),
      });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      expect(await shownFirst(bot, issue, "**Failed.**")).toContain("no such model");
      await expect
        .poll(() => botComments(bot, issue), WAIT)
        .toEqual([expect.anything(), expect.stringContaining("@mona: the work has failed")]);

      isBroken = false;
      await say(bot, issue, "/resume");
      await shown(bot, issue, "Done");

      expect(await botPulls(bot)).toHaveLength(1);
    });

    it("stops before its budget is spent, shows what there is in a draft, and goes on", async () => {
      const script = sumsScript();
      await using bot = await runningBot({
        forge,
        script: async (request) => {
          const reply = await script(request);
          const usage = { inputTokens: 100_000, cachedInputTokens: 0, outputTokens: 0, costUsd: null };
          return "fault" in reply ? reply : { ...reply, usage };
        },
      });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve --budget 0.6");
      const comment = await shownFirst(bot, issue, "**Paused.**");
      const draft = await botPull(bot);

      expect(comment).toContain(`/${draft.number})`);
      expect(draft).toMatchObject({ draft: true, body: expect.stringContaining("stopped at its budget") });
      expect(draft.body).not.toContain(`Closes #${issue}`);
      // On Forgejo that is what makes it a draft.
      const wip = forge === "forgejo" ? "WIP: " : "";
      await bot.forge.editPullRequest(SUMS, draft.number, { title: `${wip}Sums that are sums`, by: "lena" });
      await say(bot, issue, "/resume");
      await shown(bot, issue, "Done");
      expect(await botPull(bot)).toMatchObject({
        number: draft.number,
        title: "Sums that are sums",
        draft: false,
        body: expect.stringContaining(`Closes #${issue}`),
      });
    });

    it("goes on when the bot is started again", async () => {
      const gate = door();
      const script = sumsScript({ before: { role: "coder", wait: gate.wait } });
      await using bot = await runningBot({ forge, script });
      const issue = await openIssue(bot);
      await say(bot, issue, "/solve");
      await gate.reached;

      const restarted = bot.restart();
      gate.open();
      await restarted;
      await shown(bot, issue, "Done");

      expect(await botPulls(bot)).toHaveLength(1);
    });
  });

const FIX = calls("shell_exec", { command: "echo 'export const sum = (a, b) => a + b;' > sum.mjs" });
const REPORT = {
  ...{ status: "done", summary: "It adds.", changes: [{ path: "sum.mjs", what: "adds" }], open: null },
  verification: [{ command: "node --test", result: "passed" }],
};
const FINDING = {
  ...{ path: "sum.mjs", line: 1, severity: "major", problem: "It loses 0.1." },
  scenario: "sum(0.1, 0.2) is not 0.3.",
};

const TIDY = `
version: 1
name: tidy
roles:
  preparer:
    systemPrompt: You are the **preparer**. Tidy up.
    schema: { type: object }
moderator:
  - { from: $START, to: preparer }
  - { from: preparer, to: $END }
`;
