import { inputError } from "../../base/errors.ts";
import { userTexts } from "../conversation.ts";
import type { Design } from "../designs.ts";
import type { Passage } from "../library.ts";
import type { Background } from "../prompts/standing.ts";
import type { Turn } from "../turn.ts";

const PASSAGES = 5;

/** The file that is being made; undefined before there is one. Throws `workflow-unknown` (fix-input) when it is gone. */
export const designOf = ({ state, parts }: Turn): Promise<Design | undefined> =>
  state.workflow_id === "" ? Promise.resolve(undefined) : loaded(parts, state.workflow_id, state.user_id);

/** The file that is edited or copied; undefined when one is made from nothing. Throws as `designOf`. */
export const sourceOf = ({ state, parts }: Turn): Promise<Design | undefined> => {
  const { source_workflow_id } = state.workflow_context;
  return source_workflow_id === ""
    ? Promise.resolve(undefined)
    : loaded(parts, source_workflow_id, state.user_id);
};

const loaded = async ({ workflows }: Turn["parts"], id: string, userId: string): Promise<Design> => {
  const design = await workflows.load(id, userId);
  if (design === undefined)
    throw inputError("workflow-unknown", `there is no workflow ${id}`, "Begin a new session.");
  return design;
};

/** What a question to the model comes with: the file as it is now, and what fits of what is written down here. */
export const backgroundOf = async (turn: Turn): Promise<Background> => {
  const design = (await designOf(turn)) ?? (await sourceOf(turn));
  return { source: design?.source ?? null, passages: await lookedUp(turn) };
};

const lookedUp = async ({ parts, config, state }: Turn): Promise<Passage[]> => {
  if (!config.enable_rag || parts.library === null) return [];
  const query = [state.intent_summary, ...userTexts(state).slice(-2)].join(" ").slice(0, 2_000);
  return query.trim() === "" ? [] : parts.library.search(query, PASSAGES);
};
