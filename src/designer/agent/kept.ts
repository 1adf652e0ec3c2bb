import { z } from "zod";
import { inputError } from "../../base/errors.ts";
import { type Hash, isHash } from "../../base/ids.ts";
import { makeNode, type Node } from "../../store/node.ts";
import type { StoredNodes } from "../../tools/stored-nodes.ts";
import { AgentState } from "../agent-state.ts";
import type { Design } from "../designs.ts";
import { DryRun } from "../dry-run/dry-run.ts";

const KeptDesign: z.ZodType<Design> = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  source: z.string(),
  node: z.custom<Hash>((value) => typeof value === "string" && isHash(value)).nullable(),
  dryRun: DryRun.nullable(),
});

/** A conversation in a thread, as a `text` node has it. */
export const Kept = z.object({
  /** The task that was heard last: what the person said then is in the state. */
  heard: z.string(),
  /** How many entries the conversation had before that. */
  from: z.int().nonnegative(),
  state: AgentState,
  designs: z.array(KeptDesign),
});
export type Kept = z.output<typeof Kept>;

export const keptNode = (kept: Kept): Node<"text"> => textNode(JSON.stringify(kept));

export const textNode = (text: string): Node<"text"> => makeNode("text", { encoding: "utf8", text });

/** Throws `conversation-lost` (fix-input) when the thread does not reach it, or it cannot be read. */
export const readKept = async (nodes: StoredNodes, hash: string): Promise<Kept> => {
  const [node] = isHash(hash) ? await nodes.find(hash) : [];
  const read = node?.type === "text" ? Kept.safeParse(parsed(node.payload.text)) : undefined;
  if (read?.success) return read.data;
  throw inputError(
    "conversation-lost",
    "What was said in this conversation so far cannot be read.",
    "Start over, with all that the workflow should do.",
  );
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
