import { describe, expect, it } from "vitest";
import { resolves } from "../../../src/llm/scripted-model.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { workflowNodes } from "../../../src/workflow/nodes.ts";
import { type Bot, runningBot, SUMS } from "../../rigs/bot.ts";
import {
  answers,
  taskIn,
  triageFile,
  triageNode,
  triageStory,
  triageWords,
} from "../../rigs/designer-story.ts";
import { type ModelScript, roleScript } from "../../rigs/model-script.ts";
import { botComments, botPull, botPulls, door, fileOn, quiet, say, shownFirst } from "../../rigs/story.ts";

const WAIT = { timeout: 30_000, interval: 100 };
const WAITS = "**Waiting for an answer.**";
const PATH = ".uwf/workflows/triage.yaml";
const OTHERS = "umbrella/sums";

/** The designer's own questions, and the role of the workflow that it makes. */
const talks =
  (story: ModelScript = triageStory): ModelScript =>
  (request) => {
    const system = request.messages.find(({ role }) => role === "system")?.content ?? "";
    if (system.includes("You are the **designer**")) return story(request);
    return roleScript({ sorter: [resolves({ status: "bug", reason: "It subtracts." })] })(request);
  };

/** An issue that wants a workflow, labelled. */
const wanted = async (bot: Bot): Promise<number> => {
  const { number } = await bot.forge.openIssue(SUMS, { title: triageWords[0], body: "", author: "mona" });
  await bot.forge.label(SUMS, number, "uwf:design", "mona");
  return number;
};

/** When the bot has taken so many turns there and its live comment says so: its other comments, oldest first. */
const turns = async (bot: Bot, issue: number, count: number, state = WAITS): Promise<string[]> => {
  const comments = async () => (await botComments(bot, issue)).slice(1);
  await expect.poll(async () => (await comments()).length, WAIT).toBe(count);
  await shownFirst(bot, issue, state);
  return comments();
};

/** The whole conversation, to its pull request. */
const designed = async (bot: Bot): Promise<{ issue: number; comments: string[] }> => {
  const issue = await wanted(bot);
  for (const [index, words] of triageWords.slice(1).entries()) {
    await turns(bot, issue, index + 1);
    await say(bot, issue, words);
  }
  return { issue, comments: await turns(bot, issue, triageWords.length, "**Done.**") };
};

for (const forge of ["github", "forgejo"] as const)
  describe(`a conversation on ${forge}`, { timeout: 120_000 }, () => {
    it("goes in comments from a label to a pull request with the file, which runs once it is merged", async () => {
      await using bot = await runningBot({ forge, script: talks(), repositories: [OTHERS] });

      const { issue, comments } = await designed(bot);

      for (const comment of comments) expect(comment).toMatch(/^<!-- uwf:turn:\w{26}:\d -->\n@mona:\n/);
      expect(comments[0]).toContain("1. Which kinds are there? (for example: bug · question)");
      expect(comments[3]).toMatch(/- tool gmail:send.*1\. \*\*Answer only\*\* \(simple\).*nobody gets mail/s);
      expect(comments[4]).toMatch(/```mermaid\nflowchart TD.*<details>.*```yaml\nversion: 1\nname: triage/s);
      const pull = await botPull(bot);
      expect(pull).toMatchObject({ title: "Workflow triage: Sort new issues", draft: false });
      expect(pull.body).toMatch(/`\/run triage`.*all 4 edges.*```mermaid.*Closes #1/s);
      const file = await fileOn(bot, pull.head.branch, PATH);
      expect(file).toBe(triageFile);
      const { workflow } = workflowNodes(await loadWorkflow(file, { file: PATH }));
      expect(workflow.hash).toBe(await triageNode());

      await say(bot, issue, "/run triage");
      await shownFirst(bot, issue, "There is no workflow `triage` here");
      await bot.forge.mergePullRequest(SUMS, pull.number, "mona");
      const next = await bot.forge.openIssue(SUMS, { title: "The sum is wrong", body: "", author: "mona" });
      await say(bot, next.number, "/run triage");
      await shownFirst(bot, next.number, "**Done.**");
      const elsewhere = await bot.forge.openIssue(OTHERS, { title: "Sort", body: "", author: "lena" });
      await bot.forge.comment(OTHERS, elsewhere.number, { body: "/run triage", author: "lena" });
      await expect
        .poll(async () => (await bot.forge.comments(OTHERS, elsewhere.number)).at(-1)?.body, WAIT)
        .toContain("There is no workflow `triage` here");
    });

    it("hears those alone who may write, one comment after the other, and ends by /stop", async () => {
      const gate = door();
      const script: ModelScript = async (request) => {
        if (taskIn(request) === "needs") await gate.wait();
        return triageStory(request);
      };
      await using bot = await runningBot({ forge, script: talks(script) });
      const issue = await wanted(bot);
      await turns(bot, issue, 1);

      await say(bot, issue, "I sort all of them by hand", "reader");
      await quiet(bot);
      expect(await botComments(bot, issue)).toHaveLength(2);
      await Promise.all([say(bot, issue, triageWords[1]), say(bot, issue, triageWords[2], "lena")]);
      const [, ...heard] = await turns(bot, issue, 3);
      expect(heard.join("\n")).toContain("It reads each issue and says which it is");
      expect(heard.join("\n")).toContain("It also mails what it found");
      await say(bot, issue, "Yes, exactly");
      await gate.reached;
      await say(bot, issue, "/stop");
      await shownFirst(bot, issue, "**Stopped** by mona.");
      gate.open();
      await say(bot, issue, "alt_1");
      await quiet(bot);

      expect(await botComments(bot, issue)).toHaveLength(4);
      expect(await botPulls(bot)).toEqual([]);
    });

    it("says that its model talks nonsense, and goes on by /resume or another comment", async () => {
      let nonsense = 2;
      const script: ModelScript = (request) =>
        nonsense > 0 ? answers({ next: "dance" }, "La la la.") : triageStory(request);
      await using bot = await runningBot({ forge, script: talks(script) });
      const { number: issue } = await bot.forge.openIssue(SUMS, {
        title: "Issues",
        body: "",
        author: "mona",
      });
      await say(bot, issue, "/design sort new ones");

      const [said] = await turns(bot, issue, 1);
      expect(said).toMatch(
        /\*\*Something went wrong\.\*\* The model gave no usable answer.*`\/resume` tries/s,
      );
      await say(bot, issue, "/resume");
      await turns(bot, issue, 2);
      nonsense = 0;
      await say(bot, issue, "Sort them, please");
      const comments = await turns(bot, issue, 3);

      expect(comments.at(-1)).toContain("1. Which kinds are there?");
    });
  });

/** Changes or copies the file that it is shown, as soon as it is asked. */
const changes =
  (name: string, write: (shown: string) => string): ModelScript =>
  (request) => {
    const last = request.messages.at(-1)?.content ?? "";
    switch (taskIn(request)) {
      case "listen":
        return answers({ next: "settled", intent_summary: "Sort.", workflow_name: name }, "Good.");
      case "needs":
        return answers({ needs: [] });
      default:
        return answers({ yaml: write(last), summary: "As you said." });
    }
  };

const withChores = triageFile.replace("[bug, question, unsure]", "[bug, question, chore, unsure]");

describe("a workflow that is there", { timeout: 120_000 }, () => {
  it("of the repository's is edited by `/design --edit`, and by /retry once more", async () => {
    let fails = true;
    const script: ModelScript = (request) => {
      if (!fails) return changes("triage", () => withChores)(request);
      return answers({ next: "dance" }, "La la la.");
    };
    await using bot = await runningBot({ forge: "github", script: talks(script) });
    await bot.forge.writeFile(SUMS, { path: PATH, content: triageFile, branch: "main", by: "mona" });
    const title = "Chores are no bugs";
    const { number: issue } = await bot.forge.openIssue(SUMS, { title, body: "", author: "mona" });
    await say(bot, issue, "/design --edit triage Know chores, too");
    await turns(bot, issue, 1);
    fails = false;
    await say(bot, issue, "/stop");
    await shownFirst(bot, issue, "**Stopped** by mona.");

    await say(bot, issue, "/retry");
    await expect.poll(() => botPulls(bot), WAIT).toHaveLength(1);

    const pull = await botPull(bot);
    expect(await fileOn(bot, pull.head.branch, PATH)).toBe(withChores);
    const asked = bot.model.requests.findLast((request) => taskIn(request) === "write");
    expect(asked?.messages.at(-1)?.content).toContain("<workflow>\nversion: 1\nname: triage");
  });

  it("of the program's own is copied by `/design --copy`; one that is not there is named", async () => {
    const copied = (shown: string) =>
      `${shown.split("<workflow>\n")[1]?.split("</workflow>")[0]}`.replace(
        "name: review-pr",
        "name: our-review",
      );
    await using bot = await runningBot({ forge: "forgejo", script: talks(changes("our-review", copied)) });
    const title = "Our own review";
    const { number: issue } = await bot.forge.openIssue(SUMS, { title, body: "", author: "mona" });

    await say(bot, issue, "/design --copy reveiw-pr");
    await shownFirst(bot, issue, "There is no workflow `reveiw-pr` here");
    expect(bot.model.requests).toEqual([]);
    await say(bot, issue, "/design --copy review-pr");
    await expect.poll(() => botPulls(bot), WAIT).toHaveLength(1);

    const pull = await botPull(bot);
    const file = await fileOn(bot, pull.head.branch, ".uwf/workflows/our-review.yaml");
    expect(file).toMatch(/^name: our-review$/m);
  });
});

it("goes on after the bot was stopped in the middle of a turn, and asks nothing twice", {
  timeout: 120_000,
}, async () => {
  const gate = door();
  const script: ModelScript = async (request) => {
    if (taskIn(request) === "alternatives") await gate.wait();
    return triageStory(request);
  };
  await using bot = await runningBot({ forge: "github", script: talks(script) });
  const issue = await wanted(bot);
  for (const [index, words] of triageWords.slice(1, 4).entries()) {
    await turns(bot, issue, index + 1);
    await say(bot, issue, words);
  }
  await gate.reached;

  const restarted = bot.restart();
  gate.open();
  await restarted;
  const comments = await turns(bot, issue, 4);

  expect(comments[3]).toContain("1. **Answer only** (simple)");
  expect(bot.model.requests.map(taskIn).filter((task) => task === "needs")).toHaveLength(1);
});
