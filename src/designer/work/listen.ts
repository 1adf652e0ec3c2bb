import { z } from "zod";
import { namePattern } from "../../workflow/definition.ts";
import { DESIGN } from "../../workflow/reserved.ts";
import { ClarificationQuestion } from "../agent-state.ts";
import { listenTask } from "../prompts/tasks.ts";
import { type Turn, together } from "../turn.ts";
import { askIn } from "./ask-in.ts";
import { backgroundOf } from "./background.ts";
import { contextWith, learned, own } from "./collected.ts";
import { askToReplace, mayHaveName, wasAskedToReplace } from "./name.ts";
import type { Work } from "./work.ts";

const Heard = z.object({
  next: z.enum(["ask", "propose", "settled"]),
  intent_summary: z.string().max(8_000).default(""),
  workflow_name: z
    .string()
    .regex(namePattern, "must be letters, digits, dots, dashes or underscores, at most 64")
    .nullable()
    .default(null),
  collected_info: z.record(z.string().min(1).max(64), z.string().max(2_000)).default({}),
  questions: z.array(ClarificationQuestion).max(5).default([]),
  replaces_existing: z.boolean().default(false),
  message: z
    .string()
    .max(8_000)
    .optional()
    .describe("What the person reads, if no text stands before this call."),
});
type Heard = z.output<typeof Heard>;

/** Finds out what the person wants, until that is settled. */
export const listen: Work = async function* (turn) {
  const { value, text } = yield* askIn(turn, {
    task: listenTask(),
    background: await backgroundOf(turn),
    schema: Heard,
    check: problemsIn,
    speaks: true,
  });
  remember(turn, value);
  if (value.next === "ask") {
    if (turn.state.stage !== "clarification") yield turn.move({ kind: "asked" });
    const { questions } = value;
    yield turn.say({ text, message_type: "question", questions }, { final: "final" });
    return "wait";
  }
  const name = value.workflow_name ?? "";
  if (!(await mayHaveName(turn, name))) {
    if (turn.state.stage !== "negotiation") yield turn.move({ kind: "proposed" });
    yield* together([turn.say({ text }), askToReplace(turn, name)]);
    return "wait";
  }
  if (value.next === "propose") {
    if (turn.state.stage !== "negotiation") yield turn.move({ kind: "proposed" });
    yield turn.say({ text }, { final: "final" });
    return "wait";
  }
  const responses = [turn.say({ text })];
  // Whoever says everything at once agrees at once.
  while (turn.state.stage !== "gap_analysis") responses.push(turn.move({ kind: "settled" }));
  yield* together(responses);
  return "go-on";
};

const problemsIn = ({ next, questions, intent_summary, workflow_name }: Heard): string[] => {
  if (next === "ask") return questions.length === 0 ? ['questions: with next "ask", give at least one'] : [];
  return [
    ...(intent_summary.trim() === "" ? [`intent_summary: missing, with next "${next}"`] : []),
    ...(workflow_name === null ? [`workflow_name: missing, with next "${next}"`] : []),
    ...(workflow_name === DESIGN
      ? [`workflow_name: "${DESIGN}" is uwf's own, and is not replaced: take another name, and say so`]
      : []),
    ...(questions.length > 0
      ? [`questions: must be empty with next "${next}"; what is open is asked first`]
      : []),
  ];
};

const remember = (turn: Turn, { intent_summary, workflow_name, collected_info, ...heard }: Heard): void => {
  const { state } = turn;
  const known = learned(state.clarification_context.collected_info, collected_info);
  const mayReplace =
    heard.replaces_existing && workflow_name !== null && wasAskedToReplace(turn, workflow_name);
  turn.change({
    intent_summary: intent_summary.trim() === "" ? state.intent_summary : intent_summary,
    clarification_context: contextWith(state, {
      pending_questions: heard.questions.map(({ question }) => question),
      collected_info: known,
      facts: {
        ...(workflow_name === null ? {} : { [own.name]: workflow_name }),
        ...(mayReplace && workflow_name !== null ? { [own.replaces]: workflow_name } : {}),
      },
    }),
  });
};
