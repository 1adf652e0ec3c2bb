import { z } from "zod";
import { isHash } from "../../base/ids.ts";
import type { History, Store } from "../../store/store.ts";
import { namePattern } from "../../workflow/definition.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { PublishedTree } from "../../workspace/published-tree.ts";

/** The one file below a protected path that a thread may publish, and the workflow that it is. */
export type AdmittedFile = { path: string; text: string; workflow: Workflow };

const FOLDER = ".uwf/workflows/";

const Made = z.looseObject({
  status: z.literal("completed"),
  path: z.string(),
  content: z.string().refine(isHash),
});

/**
 * The workflow file that the designer has made in the step before, and that has passed its checks there; null where that was no such step,
 * or another agent's. What the designer answers is the engine's own word, never a model's.
 */
export const admittedFile = async (
  store: Pick<Store, "load">,
  { steps }: Pick<History, "steps">,
): Promise<AdmittedFile | null> => {
  const last = steps.at(-1);
  const made = Made.safeParse(last?.output);
  if (last === undefined || !made.success) return null;
  const { adapter } = await store.load("agent", last.step.agent);
  if (adapter !== "designer") return null;
  const { path, content } = made.data;
  const { text } = await store.load("text", content);
  const workflow = await loadWorkflow(text, { file: path });
  return namePattern.test(workflow.name) && path === `${FOLDER}${workflow.name}.yaml`
    ? { path, text, workflow }
    : null;
};

const FILE = "100644";

/** Whether a tree has exactly this file, byte for byte, as its only change. */
export const isAlone = async (
  { path, text }: Pick<AdmittedFile, "path" | "text">,
  { changes, bytes }: Pick<PublishedTree, "changes" | "bytes">,
): Promise<boolean> => {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || change.path !== path) return false;
  if (change.mode !== FILE || (change.was !== null && change.was !== FILE)) return false;
  return (await bytes(change.object)).equals(Buffer.from(text));
};
