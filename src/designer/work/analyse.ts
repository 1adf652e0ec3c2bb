import { z } from "zod";
import { type Gap, gapsOf, Need } from "../gaps.ts";
import { needsTask } from "../prompts/tasks.ts";
import { type Language, wordsIn } from "../texts.ts";
import { together } from "../turn.ts";
import { askIn } from "./ask-in.ts";
import { backgroundOf } from "./background.ts";
import { contextWith, own } from "./collected.ts";
import type { Work } from "./work.ts";

const Needed = z.object({
  needs: z.array(Need).max(60),
  choices: z.array(z.string().trim().min(1).max(500)).max(6).default([]),
});

/** The model says what is needed; what of it is not here is found by comparing. */
export const analyse: Work = async function* (turn) {
  const { value } = yield* askIn(turn, {
    task: needsTask(),
    background: await backgroundOf(turn),
    schema: Needed,
    speaks: false,
  });
  const gaps = gapsOf(value.needs, await turn.parts.catalogue()).map((gap) => lineOf(gap, turn.language));
  turn.change({
    gaps,
    alternatives: [],
    clarification_context: contextWith(turn.state, {
      ...(gaps.length > 0 ? { purpose: "gap_resolution" } : {}),
      pending_questions: [],
      facts: { [own.choices]: value.choices.join("; "), [own.chosen]: "" },
    }),
  });
  const { words } = turn;
  const said = turn.say({
    text: gaps.length === 0 ? words.noGaps : words.gaps(gaps),
    metadata: { event: "gap_analysis" },
  });
  const choices = value.choices.length > 0;
  yield* together([said, turn.move({ kind: "analysed", gaps: gaps.length, choices })]);
  return "go-on";
};

const lineOf = ({ kind, name, why, nearest }: Gap, language: Language): string => {
  const near = nearest === null ? "" : wordsIn(language).nearest(nearest);
  return `${kind} ${name}${why === "" ? "" : ` (${why})`}${near}`;
};
