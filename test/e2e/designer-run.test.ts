import { expect, it } from "vitest";
import { calls, resolves } from "../../src/llm/scripted-model.ts";
import { type Bot, runningBot, SUMS } from "../rigs/bot.ts";
import { type DesignerCalls, designerCalls } from "../rigs/designer-http.ts";
import { answers, lastSaidIn, taskIn } from "../rigs/designer-story.ts";
import { type ModelScript, roleScript } from "../rigs/model-script.ts";
import { botComments, botPulls, fileOn, openIssue, shown } from "../rigs/story.ts";

const TOKEN = "a-token-of-the-operator";

/** A workflow whose only role writes one file, which becomes a pull request. */
const fileOf = (name: string, role: string): string => `version: 1
name: ${name}
description: Takes notes.
roles:
  ${role}:
    description: Writes a note.
    systemPrompt: You are the **${role}**. Write down what the issue says.
    publish: pull-request
    schema: { type: object, required: [title, body], properties: { title: { type: string }, body: { type: string } } }
moderator:
  - { from: $START, to: ${role} }
  - { from: ${role}, to: $END }
`;

/** What is said in each conversation, and what comes of it. */
const wishes = {
  create: { says: "Take notes", name: "notes", role: "writer" },
  edit: { says: "Have them written by an editor", name: "notes", role: "editor" },
  copy: { says: "The same by a copyist, as minutes", name: "minutes", role: "copyist" },
} as const;
type Wish = (typeof wishes)[keyof typeof wishes];

const designer: ModelScript = (request) => {
  const said = lastSaidIn(request);
  const wish = Object.values(wishes).find(({ says }) => says === said);
  if (wish === undefined) throw new Error(`nobody says ${said}`);
  switch (taskIn(request)) {
    case "listen":
      return answers({ next: "settled", intent_summary: wish.says, workflow_name: wish.name }, "Good.");
    case "needs":
      return answers({ needs: [] });
    case "write":
      return answers({ yaml: fileOf(wish.name, wish.role), summary: wish.says });
    default:
      throw new Error(`nobody asked for ${taskIn(request)}`);
  }
};
const notes = ({ role }: Wish) => [
  calls("write_file", { path: `${role}.md`, content: `By the ${role}.\n` }),
  resolves({ title: `Notes of the ${role}`, body: "As the issue says." }),
];
const roles = roleScript(Object.fromEntries(Object.values(wishes).map((wish) => [wish.role, notes(wish)])));
const script: ModelScript = (request) =>
  request.messages[0]?.content.includes("You are the **designer**") ? designer(request) : roles(request);

/** Holds the conversation; its session, and the node that it ends in. */
const designed = async (http: DesignerCalls, body: Readonly<Record<string, unknown>>, { says }: Wish) => {
  const session = await http.open(body);
  const last = (await http.say(session, says)).find(({ type }) => type === "workflow_complete");
  if (last?.type !== "workflow_complete") throw new Error(`"${says}" came to no workflow`);
  return { session, node: (last.data as { node: string }).node };
};

const runs = async (bot: Bot, http: DesignerCalls, session: string): Promise<number> => {
  const issue = await openIssue(bot);
  const where = { forge: bot.forge.kind, repository: SUMS, issue, input: "In English." };
  const { status, body } = await http.ask("POST", `/api/v1/workflow/${session}/run`, where);
  expect([status, body]).toEqual([
    202,
    { thread_id: expect.any(String), url: expect.stringMatching(new RegExp(`/issues/${issue}$`)) },
  ]);
  return issue;
};

const published = async (bot: Bot, issue: number, { role }: Wish): Promise<void> => {
  expect(await shown(bot, issue, "Done")).toContain("for the bot's operator");
  const pull = (await botPulls(bot)).at(-1);
  expect(pull).toMatchObject({
    // On Forgejo the title says that it is a draft.
    title: expect.stringContaining(`Notes of the ${role}`),
    body: expect.stringContaining(`Closes #${issue}`),
    reviewers: [],
  });
  expect(await fileOn(bot, pull?.head.branch ?? "", `${role}.md`)).toBe(`By the ${role}.\n`);
};

it.each(["github", "forgejo"] as const)(
  "runs what a conversation over HTTP came to on a repository of %s: made, edited and copied",
  async (forge) => {
    await using bot = await runningBot({ forge, script, apiToken: TOKEN });
    const http = designerCalls(bot.url, TOKEN);

    const made = await designed(http, { action: "create" }, wishes.create);
    await published(bot, await runs(bot, http, made.session), wishes.create);

    const edited = await designed(http, { action: "edit", workflow_name: "notes" }, wishes.edit);
    await published(bot, await runs(bot, http, edited.session), wishes.edit);

    const copied = await designed(http, { action: "copy", workflow_name: "notes" }, wishes.copy);
    await published(bot, await runs(bot, http, copied.session), wishes.copy);

    expect(new Set([made.node, edited.node, copied.node]).size).toBe(3);
    // The edited one has taken the name, and the copy stands beside it: `/run` finds both.
    for (const wish of [wishes.edit, wishes.copy]) {
      const issue = await openIssue(bot);
      await bot.forge.comment(SUMS, issue, { body: `/run ${wish.name}`, author: "mona" });
      await shown(bot, issue, "Done");
      expect((await botPulls(bot)).at(-1)?.title).toContain(`Notes of the ${wish.role}`);
    }
  },
  180_000,
);

it("calls nobody on the forge for the operator's work, and says there that it has failed", async () => {
  const failing: ModelScript = (request) =>
    request.messages[0]?.content.includes("You are the **designer**")
      ? designer(request)
      : { fault: "status", status: 400, body: { error: { message: "no", type: "invalid_request_error" } } };
  await using bot = await runningBot({ forge: "github", script: failing, apiToken: TOKEN });
  const http = designerCalls(bot.url, TOKEN);
  const { session } = await designed(http, { action: "create" }, wishes.create);

  const issue = await runs(bot, http, session);

  await shown(bot, issue, "Failed");
  expect((await botComments(bot, issue)).join()).not.toContain("@");
}, 60_000);
