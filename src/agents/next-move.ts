import { AppError } from "../base/errors.ts";
import type { ToolCall } from "../llm/model.ts";
import type { NewTurn } from "./adapter.ts";
import { budgetExceeded } from "./budget-exceeded.ts";
import { guardedRounds, labelOfKey } from "./guarded-rounds.ts";
import type { Resolution } from "./judge-output.ts";
import { repetition } from "./loop-guard.ts";
import {
  droppedCalls,
  FILTERED,
  GO_ON,
  noCallReminder,
  repeatedCall,
  turnsNote,
  type WrapUpKind,
  wrapUpKind,
  wrapUpText,
} from "./loop-texts.ts";
import { isResolve } from "./read-call.ts";
import type { ResolveTool } from "./resolve-tool.ts";
import { pendingCalls, type Round, type Rounds, roundsOf } from "./rounds.ts";

/** What the loop does next. */
export type Move<T> =
  | { kind: "tell"; text: string }
  /** Answer these calls of the last reply; in the last turn only `resolve` is looked at. */
  | { kind: "settle"; round: Round; calls: ToolCall[]; last: boolean }
  | { kind: "ask"; last: boolean }
  | { kind: "finish"; output: T }
  | { kind: "fail"; error: AppError };

export type Rules<T> = {
  role: string;
  task: string;
  maxRounds: number;
  /** Why the step may spend no more, or null. */
  spent: string | null;
  effect: (name: string) => "read" | "write";
  resolve: ResolveTool<T>;
};

/** How often a role may hand in an invalid output, or reply without a call in a row. */
export const MAX_TRIES = 3;

/** Reads the next move from the turns alone, so that whoever takes over a step goes on exactly there. */
export const nextMove = <T>(turns: readonly NewTurn[], rules: Rules<T>): Move<T> => {
  if (turns.length === 0) return { kind: "tell", text: rules.task };
  const log = roundsOf(turns);
  const last = log.rounds.at(-1);
  if (last) {
    const output = resolutionOf(last, rules);
    if (output?.ok) return { kind: "finish", output: output.value };
    const calls = pendingCalls(last);
    if (calls.length > 0) return { kind: "settle", round: last, calls, last: isFinal(last) };
    const error = failureOf(log, { last, rules });
    if (error) return { kind: "fail", error };
  }
  const told = last ? last.after : log.opening;
  if (told.some((text) => wrapUpKind(text) !== null)) return { kind: "ask", last: true };
  const kind = wrapUpDue(log, rules);
  if (kind) return { kind: "tell", text: wrapUpText(kind, rules.spent ?? "") };
  const notes = last && told.length === 0 ? notesFor(log, { last, rules }) : [];
  return notes.length > 0 ? { kind: "tell", text: notes.join("\n\n") } : { kind: "ask", last: false };
};

/** True when the reply was asked for as the last one. */
const isFinal = (round: Round): boolean => round.before.some((text) => wrapUpKind(text) !== null);

/** The output that a reply hands in: `resolve` as its only call, or in the last turn beside others. */
const resolutionOf = <T>(round: Round, { resolve }: Pick<Rules<T>, "resolve">): Resolution<T> | undefined => {
  const call = round.calls.find(isResolve);
  if (call === undefined || (round.calls.length > 1 && !isFinal(round))) return undefined;
  return resolve.read(call.arguments);
};

/** Invalid outputs handed in so far. */
export const invalidTries = <T>(rounds: readonly Round[], rules: Pick<Rules<T>, "resolve">): number =>
  rounds.filter((round) => resolutionOf(round, rules)?.ok === false).length;

const wrapUpDue = <T>({ rounds }: Rounds, rules: Rules<T>): WrapUpKind | null => {
  if (rules.spent !== null) return "spent";
  if (rounds.length >= rules.maxRounds - 1) return "rounds";
  return repetition(guardedRounds(rounds, rules.effect)).kind === "stop" ? "stuck" : null;
};

const notesFor = <T>({ rounds }: Rounds, { last, rules }: { last: Round; rules: Rules<T> }): string[] => {
  const notes: string[] = [];
  if (isFinal(last)) notes.push(GO_ON);
  if (last.dropped.length > 0) notes.push(droppedCalls(last.dropped.map((call) => call.name)));
  else if (last.calls.length === 0) notes.push(noCallReminder(last));
  else if (last.reply.finish === "filtered") notes.push(FILTERED);
  const repeated = repetition(guardedRounds(rounds, rules.effect));
  if (repeated.kind === "warn") notes.push(repeatedCall(labelOfKey(repeated.key)));
  if (rounds.length === Math.ceil(rules.maxRounds * 0.8))
    notes.push(turnsNote(rounds.length, rules.maxRounds));
  return notes;
};

const failureOf = <T>(
  { rounds }: Rounds,
  { last, rules }: { last: Round; rules: Rules<T> },
): AppError | null => {
  const role = `The role "${rules.role}"`;
  const invalid = resolutionOf(last, rules);
  if (invalid?.ok === false && invalidTries(rounds, rules) >= MAX_TRIES) {
    const problems = invalid.problems.replaceAll("\n", "; ");
    return failed(
      "role-output-invalid",
      `${role} handed in no valid output in ${MAX_TRIES} tries: ${problems}`,
    );
  }
  const kind = last.before.map(wrapUpKind).find((found) => found !== null) ?? null;
  if (rounds.length >= rules.maxRounds) {
    return failed("role-rounds-exceeded", `${role} did not finish within its ${rules.maxRounds} turns.`);
  }
  if (kind === "spent" && rules.spent !== null) {
    return budgetExceeded(rules.role, rules.spent);
  }
  if (kind === "stuck") {
    return failed("role-stuck", `${role} repeated the same calls without getting further.`);
  }
  if (rounds.length >= MAX_TRIES && rounds.slice(-MAX_TRIES).every((round) => round.calls.length === 0)) {
    return failed("role-no-call", `${role} replied ${MAX_TRIES} times in a row without calling a tool.`);
  }
  return null;
};

const HINTS: Readonly<Record<string, string>> = {
  "role-output-invalid": "Start over, or use a model that keeps to the form of the role's answer.",
  "role-rounds-exceeded": "Raise the role's maxTurns, or give it a smaller task.",
  "role-stuck": "Read its last calls, then resume with a note that tells it another way.",
  "role-no-call": "Use a model that calls tools.",
};

const failed = (code: string, message: string): AppError => {
  const hint = HINTS[code];
  return new AppError(message, { code, remedy: "fix-input", ...(hint === undefined ? {} : { hint }) });
};
