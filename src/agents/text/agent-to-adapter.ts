import type { z } from "zod";
import { type Clock, clockOf } from "../../base/clock.ts";
import { AppError, configError, isAbort, messageOf } from "../../base/errors.ts";
import type { Model } from "../../llm/model.ts";
import { noNodes, type StoredNodes } from "../../tools/stored-nodes.ts";
import type { AdapterFn, Journal, ThreadContext } from "../adapter.ts";
import type { LoopEvent } from "../react-config.ts";
import { agentPrompt } from "./agent-prompt.ts";
import { extractionTask, extractOutput } from "./extract.ts";
import { nextAnswerMove } from "./next-answer-move.ts";
import { takeAnswer } from "./take-answer.ts";
import type { AgentFn, TextAgent } from "./text-agent.ts";

/** What a text agent's adapter may be told besides the agent and its model. */
export type AgentToAdapterOptions = {
  /** What the agent is called in turns and events. */
  name?: string;
  /** What an extraction may look up; default: nothing. */
  nodes?: StoredNodes;
  observe?: (event: LoopEvent) => void;
  /** Awaited before each run of the agent: what it notes in the journal, the agent is told. */
  ready?: () => Promise<unknown>;
  /** Called before each run of the agent and each model call; what it throws stops the role there. */
  checkpoint?: () => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
};

/**
 * Lets an agent play a role that answers text: a function, or one that can also be told more in the session of an answer.
 * The role's output is the YAML frontmatter of the answer (`readFrontmatter`); where there is none that fits, the agent is
 * told what is wrong with it, up to twice, if it has a session; and then a model finds the output in the answers
 * (`extractOutput`), without inventing anything. `extractProvider`: that model, also as a function that opens it when it
 * is needed; null: there is none.
 *
 * Every answer is stored before anything is done with it, and is not asked for again; a run that was cut off is made again.
 * The role rejects with `extract-model-missing` (fix-config), with what the agent throws, and as `extractOutput`.
 */
export const agentToAdapter = (
  agent: AgentFn | TextAgent,
  extractProvider: Model | (() => Promise<Model>) | null,
  options: AgentToAdapterOptions = {},
): AdapterFn => {
  const text: Setup = {
    agent: typeof agent === "function" ? { run: agent, continue: null } : agent,
    extractProvider,
    name: options.name ?? "agent",
    clock: clockOf(options.now),
    options,
  };
  return (prompt, schema) => (context) => playText(context, { prompt, schema, ...text });
};

type Setup = {
  agent: { run: TextAgent["run"]; continue: TextAgent["continue"] | null };
  extractProvider: Model | (() => Promise<Model>) | null;
  name: string;
  clock: Clock;
  options: AgentToAdapterOptions;
};

type Play<T> = Setup & { prompt: string; schema: z.ZodType<T> };

const playText = async <T>(context: ThreadContext, play: Play<T>): Promise<T> => {
  const { journal, signal } = context;
  const { agent, clock, schema } = play;
  const prompt = agentPrompt(context, play);
  for (;;) {
    signal.throwIfAborted();
    const move = await nextAnswerMove(journal, { schema, prompt, canContinue: agent.continue !== null });
    if ((move.kind === "run" || move.kind === "continue") && (await hasNews(journal, play.options))) continue;
    switch (move.kind) {
      case "tell":
        await journal.append({ kind: "message", text: move.text.toWellFormed(), at: clock.now() });
        break;
      case "run":
        await takeAnswer(context, play, {
          id: move.id,
          ask: (told) => agent.run({ ...told, prompt: move.text }),
        });
        break;
      case "continue":
        await goOn(context, play, { ...move, prompt });
        break;
      case "extract-from":
        await beginExtraction(context, play, move);
        break;
      case "extracting":
        return extractOutput(context, schema, {
          ...play.options,
          provider: await openProvider(context, play),
          nodes: play.options.nodes ?? noNodes,
          answers: move.answers,
          from: move.from,
        });
      case "finish":
        return move.output;
      case "fail":
        throw move.error;
    }
  }
};

/** True when getting ready has left something to tell. */
const hasNews = async (
  { turns }: Pick<Journal, "turns">,
  { ready }: AgentToAdapterOptions,
): Promise<boolean> => {
  const { length } = turns;
  await ready?.();
  return turns.length > length;
};

/** An agent whose session is gone has answered all the same. */
const goOn = async <T>(
  context: ThreadContext,
  play: Play<T>,
  move: { id: string; sessionId: string; text: string; prompt: string; answers: readonly string[] },
): Promise<void> => {
  const again = play.agent.continue;
  if (again === null) return;
  let failure: unknown = null;
  try {
    await takeAnswer(context, play, {
      id: move.id,
      ask: (told) =>
        again(move.sessionId, move.text, { ...told, prompt: move.prompt }).catch((error: unknown) => {
          failure = error;
          throw error;
        }),
    });
  } catch (error) {
    if (error !== failure || isAbort(error, context.signal) || !isForPeople(error)) throw error;
    const why = `It could not be told so: ${messageOf(error)}`;
    await beginExtraction(context, play, { answers: move.answers, why: `${move.text}\n\n${why}` });
  }
};

/** A failure that does not pass by itself, and no mistake of ours. */
const isForPeople = (error: unknown): boolean =>
  error instanceof AppError && error.remedy !== "retry" && error.remedy !== "bug";

const beginExtraction = async <T>(
  context: ThreadContext,
  play: Play<T>,
  { answers, why }: { answers: readonly string[]; why: string },
): Promise<void> => {
  const provider = await openProvider(context, play, why);
  const text = extractionTask({ role: context.role, answers, why }, provider);
  await context.journal.append({ kind: "message", text: text.toWellFormed(), at: play.clock.now() });
};

const openProvider = async <T>(
  { role }: ThreadContext,
  { extractProvider }: Play<T>,
  why = "",
): Promise<Model> => {
  if (extractProvider === null)
    throw configError(
      "extract-model-missing",
      `The answer of the role "${role}" has no readable output (${why.replaceAll("\n", "; ")}), and there is no model to find one in it.`,
      "Configure a model, or `modelOverrides.extract`.",
    );
  return typeof extractProvider === "function" ? extractProvider() : extractProvider;
};
