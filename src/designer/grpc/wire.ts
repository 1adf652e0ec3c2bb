import { z } from "zod";
import { isObject } from "../../base/json.ts";
import { problemsOf, showProblem } from "../../base/value-problems.ts";
import type { AgentState } from "../agent-state.ts";
import { ConversationRequest, type ConversationResponse } from "../messages.ts";

export type ReadRequest = { ok: true; request: ConversationRequest } | { ok: false; problems: string[] };

/** A request as it came over the wire, checked. */
export const readRequest = (message: unknown): ReadRequest => {
  const value = withStage(unset(message));
  const read = ConversationRequest.safeParse(value);
  return read.success
    ? { ok: true, request: read.data }
    : { ok: false, problems: problemsOf(read.error, value).map(showProblem) };
};

/** On the wire, a field that was not sent has its type's empty value. */
const unset = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unset);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === null || inner === "" ? [] : [[key, unset(inner)]],
    ),
  );
};

const Staged = z.looseObject({ current_state: z.looseObject({ stage: z.string() }) });

/** The file writes stages in capitals. */
const withStage = (value: unknown): unknown => {
  const read = Staged.safeParse(value);
  if (!read.success) return value;
  const { current_state, ...rest } = read.data;
  return { ...rest, current_state: { ...current_state, stage: current_state.stage.toLowerCase() } };
};

/** A response as the file has it. */
export const wireResponse = (response: ConversationResponse): object => ({
  ...response,
  type: response.type.toUpperCase(),
  ...(response.type === "status"
    ? {
        status: {
          ...response.status,
          new_stage: response.status.new_stage.toUpperCase(),
          previous_stage: response.status.previous_stage.toUpperCase(),
        },
      }
    : {}),
  updated_state: response.updated_state === null ? null : wireState(response.updated_state),
});

const wireState = (state: AgentState): object => ({ ...state, stage: state.stage.toUpperCase() });
