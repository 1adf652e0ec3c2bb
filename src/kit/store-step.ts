import type { Hash } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { makeNode } from "../store/node.ts";
import type { Usage } from "../store/payload.ts";
import type { Store } from "../store/store.ts";
import type { AgentContext } from "../thread/agent-context.ts";

export type PlayedStep = {
  output: Json;
  /** Head of the turn chain. */
  turns: Hash | null;
  /** Further nodes that the agent stored or read. */
  refs: Hash[];
  usage: Usage;
  /** Milliseconds since the epoch. */
  startedAt: number;
  finishedAt: number;
};

/** Stores the step that an agent has played, where the thread needs it, and answers its hash. The thread's head is the engine's to move. */
export const storeStep = async (
  store: Pick<Store, "put">,
  { start, prev, role, agent, task }: Pick<AgentContext, "start" | "prev" | "role" | "agent" | "task">,
  { output: value, ...played }: PlayedStep,
): Promise<Hash> => {
  const output = makeNode("output", { value });
  const step = makeNode("step", {
    ...{ start, prev, role, agent, task, output: output.hash },
    ...played,
    workspace: null,
    published: null,
  });
  await store.put([output, step]);
  return step.hash;
};
