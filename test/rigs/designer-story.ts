import type { Hash } from "../../src/base/ids.ts";
import type { Json } from "../../src/base/json.ts";
import type { ScriptedReply } from "../../src/llm/scripted-model.ts";
import { loadWorkflow } from "../../src/workflow/load.ts";
import { workflowNodes } from "../../src/workflow/nodes.ts";
import type { ModelScript, ModelServerRequest } from "./model-script.ts";

export type DesignerTask = "listen" | "needs" | "alternatives" | "steer" | "write";

const tasks: readonly (readonly [DesignerTask, RegExp])[] = [
  ["listen", /^Task: find out what the workflow should do/m],
  ["needs", /^Task: list everything/m],
  ["alternatives", /^Task: offer the person ways/m],
  ["steer", /^Task: find out what the person wants now/m],
  ["write", /^Task: write the whole workflow file/m],
];

/** What the designer asks its model for with this request. */
export const taskIn = ({ messages }: Pick<ModelServerRequest, "messages">): DesignerTask => {
  const asked = messages.findLast(({ content }) => content.includes("Task: "))?.content ?? "";
  const found = tasks.find(([, pattern]) => pattern.test(asked));
  if (found === undefined) throw new Error(`this is no question of the designer: ${asked.slice(0, 200)}`);
  return found[0];
};

/** What the person said last, as the model was told it. */
export const lastSaidIn = ({ messages }: Pick<ModelServerRequest, "messages">): string =>
  messages
    .filter(
      ({ role, content }) => role === "user" && !content.includes("Task: ") && !content.startsWith("(Note"),
    )
    .at(-1)?.content ?? "";

/** Text for the person, and the answer beside it. */
export const answers = (value: Json, text = ""): ScriptedReply => ({
  content: text,
  toolCalls: [{ name: "resolve", arguments: JSON.stringify(value) }],
});

/** Sorts issues: a role that reads and answers, one that is asked again while it is unsure. */
export const triageFile = `version: 1
name: triage
description: Sort new issues.
roles:
  sorter:
    description: Reads the issue and says what it is.
    systemPrompt: You are the **sorter**. Say what kind of issue it is, and why.
    tools: [read_file, search_files]
    schema:
      type: object
      required: [status, reason]
      properties:
        status: { enum: [bug, question, unsure] }
        reason: { type: string }
moderator:
  - { from: $START, to: sorter }
  - { from: sorter, to: sorter, when: 'output.status == "unsure" && visits.sorter < 3', prompt: "Look again: {{ reason }}" }
  - { from: sorter, to: $SUSPEND, when: 'output.status == "unsure"', prompt: "{{ reason }}" }
  - { from: sorter, to: $END }
`;

/** The node that it is, by whichever way it was made: gRPC, server-sent events, the page or an issue. */
export const triageNode = async (): Promise<Hash> =>
  workflowNodes(await loadWorkflow(triageFile, { file: "triage.yaml" })).workflow.hash;

/** The same with an edge that can never be taken, and one to a role that is not there. */
export const faultyFile = triageFile.replace("to: $SUSPEND", "to: nobody");

const proposal = (intent: string): Json => ({
  next: "propose",
  intent_summary: intent,
  workflow_name: "triage",
  collected_info: { trigger: "label" },
});

const heard: readonly (readonly [RegExp, ScriptedReply])[] = [
  [
    /sort/i,
    answers(
      {
        next: "ask",
        intent_summary: "Sort new issues.",
        questions: [
          {
            id: "kinds",
            question: "Which kinds are there?",
            category: "logic",
            options: ["bug", "question"],
          },
          { id: "start", question: "What begins it?", category: "trigger", is_required: false },
        ],
      },
      "What should it tell apart, and when?",
    ),
  ],
  [
    /(^|\? )bugs/i,
    answers(
      proposal("Sort issues into bugs and questions."),
      "It reads each issue and says which it is. Right?",
    ),
  ],
  [/mail/i, answers(proposal("Sort issues, and mail the result."), "It also mails what it found. Right?")],
  [
    /^yes/i,
    answers({ ...(proposal("Sort issues, and mail the result.") as object), next: "settled" }, "Good."),
  ],
];

/**
 * The model of one conversation, by what it is asked alone, so that any process may ask it, and again: sorting issues is
 * wanted, asked about, proposed, changed and agreed; mail is not installed; the first file is faulty, the second sound.
 */
export const triageStory: ModelScript = (request) => {
  const said = lastSaidIn(request);
  switch (taskIn(request)) {
    case "listen": {
      const reply = heard.find(([pattern]) => pattern.test(said))?.[1];
      if (reply === undefined) throw new Error(`the story has no answer to: ${said}`);
      return reply;
    }
    case "needs":
      return answers({
        needs: [
          { kind: "trigger", name: "label", why: "begins it" },
          { kind: "tool", name: "read_file", why: "reads the code" },
          { kind: "tool", name: "gmail:send", why: "mails the result" },
        ],
      });
    case "alternatives":
      return answers({ alternatives: mailAlternatives }, "Mail is not installed. How should it be?");
    case "steer":
      return answers({ decision: "choose", alternative_id: "alt_1" }, "Then as an answer.");
    case "write": {
      const isMended = request.messages.at(-1)?.content.includes("<findings>") === true;
      return answers({ yaml: isMended ? triageFile : faultyFile, summary: "The sorter reads the issue." });
    }
  }
};

const mailAlternatives: Json = [
  {
    id: "alt_1",
    title: "Answer only",
    description: "The result stands in the thread.",
    approach: "The role's answer.",
    trade_offs: ["nobody gets mail"],
    complexity: "simple",
  },
  {
    id: "alt_2",
    title: "Configure mail first",
    description: "A mail server is added.",
    approach: "An MCP server for mail.",
    trade_offs: ["somebody has to set it up"],
    complexity: "medium",
  },
];

/** What a person says in that conversation, from the beginning to a workflow that runs. */
export const triageWords = [
  "I want to sort new issues",
  "Bugs and questions; a label begins it",
  "Please mail me the result, too",
  "Yes, exactly",
  "alt_1",
] as const;
