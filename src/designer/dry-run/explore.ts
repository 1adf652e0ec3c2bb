import { setImmediate as nextTick } from "node:timers/promises";
import { AppError } from "../../base/errors.ts";
import { isObject, type Json } from "../../base/json.ts";
import type { Edge } from "../../store/payload.ts";
import { edgeToTake, type PastStep, type Resumption, taskOf } from "../../thread/moderator.ts";
import { END, START, SUSPEND, type Workflow } from "../../workflow/workflow.ts";
import { type Asked, askedOf } from "./answers.ts";
import type { EdgeResult } from "./dry-run.ts";

/** Places that are gone to, and answers that are tried in all of them, before the rest is given up. */
const MOST_PLACES = 2_000;
const MOST_TRIES = 40_000;
/** Milliseconds that all of it may take. */
const MOST_MS = 10_000;
/** Prompts that are made for one edge, each of an answer with other fields. */
const PROMPTS = 4;
/** What a person answers to whom it waits for. */
const NOTE = "Go on.";
/** The process does something else after so many milliseconds. */
const AT_ONCE_MS = 20;

/** Where a thread has come to: `next` works now, or the table is read from `$START`. */
type Place = {
  next: string;
  steps: readonly PastStep[];
  resumed: Resumption | null;
  input: string;
  trigger: string;
};

type Exploration = {
  workflow: Workflow;
  asked: Asked;
  queue: Place[];
  seen: Set<string>;
  edges: Map<Edge, Fared>;
};
type Fared = { taken: number; finding: string | null; prompts: Set<string> };

/**
 * Goes through the table as the moderator does, with made-up answers that fit the roles' schemas, until every edge was taken and
 * its prompt made, or nothing new is found.
 */
export const explore = async (workflow: Workflow): Promise<{ edges: EdgeResult[]; end_reached: boolean }> => {
  const asked = await askedOf(workflow);
  const exploration: Exploration = { workflow, asked, queue: [], seen: new Set(), edges: new Map() };
  for (const trigger of asked.triggers)
    for (const input of asked.inputs)
      visit(exploration, { next: START, steps: [], resumed: null, input, trigger });
  const until = performance.now() + MOST_MS;
  let tries = 0;
  let resumedAt = performance.now();
  for (let places = 0; places < MOST_PLACES && !isDone(exploration); places++) {
    const place = exploration.queue.shift();
    if (place === undefined) break;
    for (const reached of answered(place, exploration)) {
      if (++tries > MOST_TRIES || performance.now() > until) break;
      if (performance.now() - resumedAt > AT_ONCE_MS) {
        await nextTick();
        resumedAt = performance.now();
      }
      await take(reached, exploration);
    }
  }
  const edges = workflow.moderator.map((edge, index) => resultOf(edge, index, exploration));
  const ends = [...exploration.edges].some(([{ to }, { taken }]) => to === END && taken > 0);
  return { edges, end_reached: ends };
};

const isDone = ({ workflow, edges }: Exploration): boolean =>
  workflow.moderator.every((edge) => {
    const fared = edges.get(edge);
    return fared !== undefined && (fared.finding !== null || fared.prompts.size >= PROMPTS);
  });

/** The place once its role has answered, for each of the answers. */
const answered = (place: Place, { asked }: Exploration): Place[] =>
  place.next === START
    ? [place]
    : (asked.answers.get(place.next) ?? []).map((output) => ({
        ...place,
        steps: [...place.steps, { role: place.next, task: "", output }],
        resumed: null,
      }));

const take = async (place: Place, exploration: Exploration): Promise<void> => {
  const { workflow } = exploration;
  const situation = { ...place, approved: true, workflow };
  const edge = await edgeToTake(workflow, { ...situation, from: place.next }).catch((error: unknown) =>
    noteCondition(error, place, exploration),
  );
  if (edge === null || edge === undefined) return;
  const fared = faredOf(edge, exploration);
  fared.taken++;
  const fields = fieldsIn(place.steps.at(-1)?.output);
  if (fared.prompts.size < PROMPTS && !fared.prompts.has(fields)) {
    fared.prompts.add(fields);
    await taskOf(edge, situation).catch((error: unknown) => {
      fared.finding ??= `its prompt cannot be made${after(place)}: ${expected(error).message}`;
    });
  }
  if (edge.to === SUSPEND) {
    // A person's answer may lead on below.
    if (place.resumed === null)
      await take({ ...place, resumed: { note: NOTE, completed: false } }, exploration);
    return;
  }
  const resumed = edge.to === END ? { note: null, completed: true } : null;
  visit(exploration, { ...place, next: edge.to === END ? START : edge.to, resumed });
};

/** Which fields there are decides what a template prints. */
const fieldsIn = (output: unknown): string =>
  isObject(output) ? JSON.stringify(Object.entries(output).map(([key, value]) => [key, value === null])) : "";

const faredOf = (edge: Edge, { edges }: Exploration): Fared => {
  const fared = edges.get(edge) ?? { taken: 0, finding: null, prompts: new Set<string>() };
  edges.set(edge, fared);
  return fared;
};

/** The message has the condition that could not be decided. */
const noteCondition = (error: unknown, place: Place, exploration: Exploration): null => {
  const { message } = expected(error);
  for (const edge of exploration.workflow.moderator)
    if (edge.from === place.next && edge.when !== null && message.includes(edge.when))
      faredOf(edge, exploration).finding ??= `${message}${after(place)}`;
  return null;
};

const expected = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  throw error;
};

const after = ({ steps }: Place): string => {
  const last = steps.at(-1);
  return last === undefined
    ? ""
    : ` after ${last.role} answered ${JSON.stringify(last.output).slice(0, 300)}`;
};

/** Goes to a place once, as far as conditions can tell it from others. */
const visit = ({ asked, queue, seen, workflow }: Exploration, place: Place): void => {
  if (place.resumed?.completed && !workflow.moderator.some(({ on }) => on === "resume")) return;
  const key = keyOf(place, asked);
  if (seen.has(key)) return;
  seen.add(key);
  queue.push(place);
};

const keyOf = ({ next, steps, resumed, input, trigger }: Place, asked: Asked): string => {
  const visits = [...asked.counted].map((role) =>
    Math.min(asked.countTo, steps.filter((step) => step.role === role).length),
  );
  const last = new Map(steps.map(({ role, output }) => [role, output as Json]));
  // Whether a role has worked may be asked as well.
  const known = [...last].flatMap(([role, output]) => {
    const fields = asked.remembered.get(role) ?? new Set();
    return [role, isObject(output) ? [...fields].map((field) => output[field] ?? null) : null];
  });
  return JSON.stringify([next, resumed?.completed ?? false, input, trigger, visits, known]);
};

const resultOf = (edge: Edge, index: number, { asked, edges }: Exploration): EdgeResult => {
  const fared = edges.get(edge);
  const finding = fared?.finding ?? (fared?.taken ? null : untaken(edge, { asked, edges }));
  const { from, to, when } = edge;
  return { edge: index, from, to, when, ok: finding === null, finding };
};

const untaken = ({ from, when }: Edge, { asked, edges }: Pick<Exploration, "asked" | "edges">): string => {
  if (from !== START && (asked.answers.get(from) ?? []).length === 0)
    return `no answer was found that fits the schema of ${from}: make it simpler`;
  const isReached = from === START || [...edges].some(([{ to }, { taken }]) => to === from && taken > 0);
  if (!isReached) return `the dry run never came to ${from}`;
  return when === null
    ? "it was never taken: edges before it hold for every answer that was tried"
    : "it was never taken: no answer was found that makes its condition true and that of no edge before it";
};
