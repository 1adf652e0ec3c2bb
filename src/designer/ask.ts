import { z } from "zod";
import { coerceArguments } from "../agents/coerce-arguments.ts";
import { parseArguments } from "../agents/parse-arguments.ts";
import { AppError } from "../base/errors.ts";
import type { JsonSchema } from "../base/json.ts";
import { problemsOf, showProblem } from "../base/value-problems.ts";
import type { ChatMessage, Model, ModelReply, ToolDefinition } from "../llm/model.ts";
import { addUsage, zeroUsage } from "../llm/usage.ts";
import type { Usage } from "../store/payload.ts";
import { whileRunning } from "./while-running.ts";

/** How often a bad answer goes back to the model. */
const CORRECTIONS = 2;
const TOOL = "resolve";

export type Question<T> = {
  /** The conversation so far, the task last. */
  messages: readonly ChatMessage[];
  /** An object. */
  schema: z.ZodType<T>;
  /** What no schema can say: problems in words for the model. */
  check?: (value: T) => readonly string[];
  /** The person reads a text beside the answer: the reply's own, or the answer's `message`. */
  speaks: boolean;
};

/** A piece of the text, or null when it begins anew. */
export type TextPiece = string | null;

export type AskParts = {
  model: Model;
  signal: AbortSignal;
  /** Called for each reply, also for bad ones, and for each request that brought none and has used something all the same. */
  spent: (usage: Usage) => void;
};

/**
 * Asks the model for an answer by a schema, gives the text beside it in pieces, and sends bad answers back up to twice. Throws
 * `answer-invalid` (retry) when none was good, `model-filtered` (fix-input) when the provider refused, and as `Model.ask`.
 */
export async function* ask<T>(
  question: Question<T>,
  { model, signal, spent }: AskParts,
): AsyncGenerator<TextPiece, { value: T; text: string }, void> {
  const messages = [...question.messages];
  const tool = toolFor(question.schema);
  let text = "";
  let problems = "";
  for (let tries = 0; tries <= CORRECTIONS; tries++) {
    const isHeard = question.speaks && text === "";
    // A model that has to call a tool says nothing beside it.
    const toolChoice = isHeard && tries === 0 ? "auto" : { name: TOOL };
    const reply: ModelReply = yield* whileRunning<TextPiece, ModelReply>((push) =>
      model.ask(
        { messages, tools: [tool], toolChoice },
        {
          signal,
          onLost: async ({ usage }) => spent(usage),
          ...(isHeard ? { onText: push, onRetry: () => push(null) } : {}),
        },
      ),
    );
    spent(addUsage(zeroUsage(), reply.usage));
    if (reply.finish === "filtered") throw filtered(reply);
    if (isHeard) text = spokenIn(reply);
    const read = readAnswer(reply, { ...question, text });
    if (read.ok) return { value: read.value, text: text || read.message };
    problems = read.problems;
    messages.push(...correction(reply, problems));
  }
  throw new AppError(`The model gave no usable answer: ${problems.replaceAll("\n", "; ")}`, {
    code: "answer-invalid",
    remedy: "retry",
    hint: "Say it again, or in other words.",
  });
}

const toolFor = (schema: z.ZodType): ToolDefinition => {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
  return {
    type: "function",
    function: { name: TOOL, description: "Hand in your answer. Call it exactly once.", parameters },
  };
};

/** The text is the answer itself when a model writes it instead of calling the tool. */
const spokenIn = ({ content, toolCalls }: ModelReply): string =>
  toolCalls.length === 0 && /^\s*(```|\{)/.test(content) ? "" : content.trim();

type Read<T> = { ok: true; value: T; message: string } | { ok: false; problems: string };

const readAnswer = <T>(reply: ModelReply, question: Question<T> & { text: string }): Read<T> => {
  const call = reply.toolCalls.find(({ name }) => name === TOOL);
  const given = call?.arguments ?? (/^\s*(```|\{)/.test(reply.content) ? reply.content : "");
  if (given.trim() === "") return failed(`Call \`${TOOL}\` with your answer.`);
  const parsed = parseArguments(given);
  if (!parsed.ok) return failed(withLength(parsed.problem, reply));
  const { value: args } = parsed;
  const inner = Object.keys(args).length === 1 && "output" in args ? args.output : args;
  const schema = z.toJSONSchema(question.schema, { io: "input" });
  const coerced = coerceArguments(inner, schema);
  const result = question.schema.safeParse(coerced);
  if (!result.success)
    return failed(withLength(problemsOf(result.error, coerced).map(showProblem).join("\n"), reply));
  const problems = question.check?.(result.data) ?? [];
  if (problems.length > 0) return failed(problems.join("\n"));
  const said = (coerced as { message?: unknown }).message;
  const message = typeof said === "string" ? said.trim() : "";
  if (question.speaks && question.text === "" && message === "")
    return failed("message: missing; the person reads nothing: write what to tell them");
  return { ok: true, value: result.data, message };
};

const failed = (problems: string) => ({ ok: false as const, problems });

const withLength = (problems: string, { finish }: ModelReply): string =>
  finish === "length" ? `${problems} (the reply reached the output limit: be shorter)` : problems;

const correction = ({ content, toolCalls, reasoning }: ModelReply, problems: string): ChatMessage[] => {
  const told = `This answer cannot be used:\n${problems}\nCall \`${TOOL}\` again with all of it, corrected.`;
  const assistant: ChatMessage = { role: "assistant", content, toolCalls, reasoning };
  if (toolCalls.length === 0)
    return [...(content === "" && reasoning === null ? [] : [assistant]), { role: "user", content: told }];
  return [assistant, ...toolCalls.map(({ id }) => ({ role: "tool" as const, callId: id, content: told }))];
};

const filtered = ({ content }: ModelReply): AppError =>
  new AppError(content === "" ? "The model's provider refused to answer." : content.slice(0, 500), {
    code: "model-filtered",
    remedy: "fix-input",
    hint: "Say it in other words.",
  });
