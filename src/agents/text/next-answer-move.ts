import type { z } from "zod";
import { AppError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import type { Journal, NewTurn } from "../adapter.ts";
import type { ReplyTurn } from "../rounds.ts";
import { extractionAt } from "./extract.ts";
import { readFrontmatter } from "./frontmatter.ts";

/** What is done next with an agent that answers text. `answers`: all that it has answered in this step, oldest first. */
export type AnswerMove<T> =
  | { kind: "tell"; text: string }
  | { kind: "run"; id: string; text: string }
  | { kind: "continue"; id: string; sessionId: string; text: string; answers: readonly string[] }
  | { kind: "extract-from"; answers: readonly string[]; why: string }
  | { kind: "extracting"; answers: readonly string[]; from: number }
  | { kind: "finish"; output: T }
  | { kind: "fail"; error: AppError };

/** How often an agent is told what is wrong with its answer. */
const MAX_CORRECTIONS = 2;

const CORRECTION = "Your answer could not be read.";

const CUT_OFF =
  "An earlier attempt at this was cut off. Its files may be there, whole or in part: look at them before you begin, and go on from there.";

/** The name under which the nth run of the agent is begun. */
const runId = (n: number): string => `run-${n}`;

type Answered<T> = { schema: z.ZodType<T>; prompt: string; canContinue: boolean };

/** Reads the next move from the turns alone, so that whoever takes over a step goes on exactly there. */
export const nextAnswerMove = async <T>(
  journal: Pick<Journal, "turns" | "cutOff" | "spent">,
  answered: Answered<T>,
): Promise<AnswerMove<T>> => {
  const { turns } = journal;
  if (turns.length === 0) return { kind: "tell", text: answered.prompt };
  const from = extractionAt(turns);
  const own = from === -1 ? turns : turns.slice(0, from);
  const replies = own.filter((turn) => turn.kind === "reply");
  const answers = replies.map(({ content }) => content);
  if (from !== -1) return { kind: "extracting", answers, from };
  const last = replies.at(-1);
  const run = { id: runId(replies.length + 1), told: toldSince(own, last) };
  if (last === undefined) return firstRun(run, journal);
  return afterReply(last, { ...run, ...answered, answers, corrections: correctionsIn(own), journal });
};

type Run = { id: string; told: readonly string[] };

const firstRun = <T>(
  { id, told }: Run,
  { cutOff, spent }: Pick<Journal, "cutOff" | "spent">,
): AnswerMove<T> => {
  const reason = spent();
  if (reason !== null)
    return {
      kind: "fail",
      error: new AppError(`The agent was not asked: ${reason}`, {
        code: "role-budget-exceeded",
        remedy: "fix-input",
        hint: "Raise the limit, or give the role a smaller task.",
      }),
    };
  return repeated({ id, told }, cutOff) ?? { kind: "run", id, text: told.join("\n\n") };
};

const afterReply = async <T>(
  last: ReplyTurn,
  {
    id,
    told,
    schema,
    canContinue,
    answers,
    corrections,
    journal,
  }: Run &
    Answered<T> & {
      answers: readonly string[];
      corrections: number;
      journal: Pick<Journal, "cutOff" | "spent">;
    },
): Promise<AnswerMove<T>> => {
  const read = await readFrontmatter(last.content, schema);
  if (read.ok) return { kind: "finish", output: read.value };
  const sessionId = canContinue ? sessionOf(last) : null;
  if (sessionId !== null && told.some(isCorrection))
    return (
      repeated({ id, told }, journal.cutOff) ?? {
        kind: "continue",
        id,
        sessionId,
        text: told.join("\n\n"),
        answers,
      }
    );
  if (sessionId !== null && corrections < MAX_CORRECTIONS && journal.spent() === null)
    return { kind: "tell", text: correction(read.problems) };
  return { kind: "extract-from", answers, why: read.problems };
};

/** A run that was begun and has no answer is made again, by an agent that knows. */
const repeated = ({ id, told }: Run, cutOff: Journal["cutOff"]): { kind: "tell"; text: string } | null =>
  cutOff.has(id) && !told.includes(CUT_OFF) ? { kind: "tell", text: CUT_OFF } : null;

const toldSince = (turns: readonly NewTurn[], reply: ReplyTurn | undefined): string[] =>
  turns
    .slice(reply === undefined ? 0 : turns.lastIndexOf(reply) + 1)
    .flatMap((turn) => (turn.kind === "message" ? [turn.text] : []));

const sessionOf = ({ reasoning }: ReplyTurn): string | null =>
  isObject(reasoning) && typeof reasoning.sessionId === "string" ? reasoning.sessionId : null;

const correction = (problems: string): string =>
  `${CORRECTION}\n\n${problems}\n\nGive your whole answer again, beginning with the YAML frontmatter and with nothing before it. Change what is wrong; do no further work unless it is needed for that.`;

const isCorrection = (text: string): boolean => text.startsWith(CORRECTION);

const correctionsIn = (turns: readonly NewTurn[]): number =>
  turns.filter((turn) => turn.kind === "message" && isCorrection(turn.text)).length;
