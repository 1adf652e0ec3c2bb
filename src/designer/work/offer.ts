import { z } from "zod";
import { AlternativeOption } from "../agent-state.ts";
import { alternativesTask } from "../prompts/tasks.ts";
import { askIn } from "./ask-in.ts";
import { backgroundOf } from "./background.ts";
import { own } from "./collected.ts";
import type { Work } from "./work.ts";

const Offered = z.object({
  alternatives: z.array(AlternativeOption).min(2).max(4),
  message: z
    .string()
    .max(8_000)
    .optional()
    .describe("What the person reads, if no text stands before this call."),
});

/** Puts ways to do it before the person. */
export const offer: Work = async function* (turn) {
  const choices = turn.state.clarification_context.collected_info[own.choices] ?? "";
  const { value, text } = yield* askIn(turn, {
    task: alternativesTask(choices === "" ? [] : [choices]),
    background: await backgroundOf(turn),
    schema: Offered,
    check: ({ alternatives }) =>
      new Set(alternatives.map(({ id }) => id)).size < alternatives.length
        ? ["alternatives: two have the same id"]
        : [],
    speaks: true,
  });
  const { alternatives } = value;
  turn.change({ alternatives });
  yield turn.say({ text, message_type: "options", alternatives }, { final: "final" });
  return "wait";
};
