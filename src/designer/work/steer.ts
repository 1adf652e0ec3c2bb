import { z } from "zod";
import type { AlternativeOption } from "../agent-state.ts";
import type { ConversationResponse } from "../messages.ts";
import { steerTask } from "../prompts/tasks.ts";
import { type Turn, together } from "../turn.ts";
import { askIn } from "./ask-in.ts";
import { backgroundOf } from "./background.ts";
import { contextWith, own } from "./collected.ts";
import type { Work } from "./work.ts";

const decisions = ["choose", "go_on", "revise", "question"] as const;
type Decision = (typeof decisions)[number];

const Steering = z.object({
  decision: z.enum(decisions),
  alternative_id: z.string().nullable().default(null),
  note: z.string().max(4_000).default(""),
  message: z
    .string()
    .max(8_000)
    .optional()
    .describe("What the person reads, if no text stands before this call."),
});

/** What may be decided where the person has spoken after something was settled. */
const open: Readonly<
  Partial<Record<Turn["state"]["stage"], { about: string; decisions: readonly Decision[] }>>
> = {
  gap_analysis: {
    about: "The work was cut off while it was compared what the workflow needs with what is installed.",
    decisions: ["go_on", "revise", "question"],
  },
  alternative_generation: {
    about: "The person was asked to choose one of the alternatives.",
    decisions: ["choose", "revise", "question"],
  },
  workflow_generation: {
    about: "The work was cut off while the file was written.",
    decisions: ["go_on", "revise", "question"],
  },
  debug: {
    about:
      "The file does not pass its checks, and the person was asked how to go on; or the checks were cut off.",
    decisions: ["go_on", "revise", "question"],
  },
  completed: {
    about: "The workflow is finished and installed. Any change of it is a revision.",
    decisions: ["revise", "question"],
  },
};

/** Finds out what somebody wants who speaks after it was settled what is made. */
export const steer: Work = async function* (turn) {
  const { stage, alternatives } = turn.state;
  const picked = stage === "alternative_generation" ? plainlyPicked(turn) : undefined;
  if (picked !== undefined) return yield* choose(turn, { option: picked, note: "", text: "" });
  const { about, decisions } = open[stage] ?? { about: "", decisions: ["revise", "question"] };
  const { value, text } = yield* askIn(turn, {
    task: steerTask({
      about,
      decisions,
      alternatives: stage === "alternative_generation" ? alternatives : [],
    }),
    background: await backgroundOf(turn),
    schema: Steering,
    check: ({ decision, alternative_id }) => {
      if (!decisions.includes(decision)) return [`decision: must be one of ${decisions.join(", ")}`];
      if (decision !== "choose" || optionOf(turn, alternative_id) !== undefined) return [];
      return [`alternative_id: must be one of ${alternatives.map(({ id }) => id).join(", ")}`];
    },
    speaks: true,
  });
  const { decision, note } = value;
  if (decision === "revise") return yield* revise(turn);
  const option = optionOf(turn, value.alternative_id);
  if (decision === "choose" && option !== undefined) return yield* choose(turn, { option, note, text });
  if (decision === "go_on") return yield* goOn(turn, text);
  const options =
    stage === "alternative_generation" ? ({ message_type: "options", alternatives } as const) : {};
  yield turn.say({ text, ...options }, { final: "final" });
  return "wait";
};

type Steps = AsyncGenerator<ConversationResponse, "go-on" | "wait", void>;

/** What was settled is open again; the person is listened to anew, so nothing is answered here. */
async function* revise(turn: Turn): Steps {
  if (turn.config.enable_streaming) yield turn.piece(null);
  const { state } = turn;
  turn.change({
    gaps: [],
    alternatives: [],
    debug_loop_count: 0,
    clarification_context: contextWith(state, {
      purpose:
        state.workflow_id === "" && state.workflow_context.origin === "create"
          ? "initial_intent"
          : "template_modification",
      facts: { [own.choices]: "", [own.chosen]: "" },
    }),
  });
  yield turn.move({ kind: "revised" });
  return "go-on";
}

type Choice = { option: AlternativeOption; note: string; text: string };

async function* choose(turn: Turn, { option, note, text }: Choice): Steps {
  const { title, description, approach } = option;
  const chosen = [`${title}: ${description}`, approach, note].filter((part) => part !== "").join("\n");
  turn.change({
    clarification_context: contextWith(turn.state, { facts: { [own.chosen]: chosen, [own.choices]: "" } }),
  });
  const metadata = { event: "alternative_chosen", alternative_id: option.id };
  const said = turn.say({ text: text === "" ? turn.words.chosen(title) : text, metadata });
  yield* together([said, turn.move({ kind: "chosen" })]);
  return "go-on";
}

async function* goOn(turn: Turn, text: string): Steps {
  const said = turn.say({ text });
  if (turn.state.stage !== "debug") {
    yield said;
    return "go-on";
  }
  turn.change({ debug_loop_count: 0 });
  yield* together([said, turn.move({ kind: "retried" })]);
  return "go-on";
}

const optionOf = ({ state }: Turn, id: string | null): AlternativeOption | undefined =>
  state.alternatives.find((option) => option.id === id);

/** Pages send an option's id, people its number or title: no model is needed to understand that. */
const plainlyPicked = ({ state }: Turn): AlternativeOption | undefined => {
  const said = state.conversations.findLast(({ role }) => role === "user")?.text.trim() ?? "";
  const place = /^[1-9]$/.test(said) ? Number(said) - 1 : -1;
  return state.alternatives.find(({ id, title }, index) => id === said || title === said || index === place);
};
