import { AppError } from "../../base/errors.ts";
import { type Hash, isHash, shortHash } from "../../base/ids.ts";
import type { Node } from "../../store/node.ts";
import type { Store } from "../../store/store.ts";

export type WantedStep = {
  start: Hash;
  prev: Hash | null;
  agent: Hash;
  role: string;
  /** The agent that wrote it, for people. */
  name: string;
};

/**
 * The step that a program stored, by the hash on the last line of its answer. Throws `role-step-invalid` (fix-input) when it is not
 * there, or not the step that the thread needs next.
 */
export const readStep = async (
  store: Pick<Store, "get" | "turns">,
  answer: string,
  wanted: WantedStep,
): Promise<Node<"step">> => {
  const fail = (problem: string): AppError =>
    new AppError(`The agent ${wanted.name} did not answer with its step: ${problem}.`, {
      code: "role-step-invalid",
      remedy: "fix-input",
      hint: "The last line of its standard output has to be the hash of the step that it stored, at the place that `uwf thread context` says.",
    });
  const line = answer.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (!isHash(line)) throw fail(`the last line of its answer is no hash of a node: ${shown(line)}`);
  const node = await store.get(line);
  if (node === undefined) throw fail(`there is no node ${shortHash(line)} in the store`);
  if (node.type !== "step") throw fail(`${shortHash(line)} is a ${node.type} node and no step`);
  const problem = misplaced(node, wanted) ?? (await brokenTurns(store, node));
  if (problem !== null) throw fail(problem);
  return node;
};

const misplaced = ({ hash, payload }: Node<"step">, wanted: WantedStep): string | null => {
  const step = `the step ${shortHash(hash)}`;
  if (payload.start !== wanted.start) return `${step} belongs to another thread`;
  if (payload.role !== wanted.role) return `${step} is of the role "${payload.role}", not "${wanted.role}"`;
  if (payload.prev !== wanted.prev)
    return `${step} follows ${payload.prev === null ? "the thread's start" : shortHash(payload.prev)}, not ${wanted.prev === null ? "the thread's start" : shortHash(wanted.prev)}`;
  if (payload.agent !== wanted.agent) return `${step} names another agent`;
  if (payload.published !== null) return `${step} says that it was published, which the engine alone does`;
  if (payload.workspace !== null) return `${step} names files, which the engine alone captures`;
  if (payload.childHash !== undefined || payload.childThreadId !== undefined)
    return `${step} names a thread that played its role, which the engine alone starts`;
  return null;
};

const brokenTurns = async (
  store: Pick<Store, "turns">,
  { payload: { turns } }: Node<"step">,
): Promise<string | null> => {
  if (turns === null) return null;
  try {
    await store.turns(turns);
    return null;
  } catch (error) {
    if (error instanceof AppError && ["node-missing", "node-type"].includes(error.code))
      return `its turns cannot be read: ${error.message}`;
    throw error;
  }
};

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
