import { inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Agent } from "../store/agent-payload.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Store } from "../store/store.ts";

/** Who plays in a fork what others played in the thread before. */
export type OtherAgents = {
  /** By role; the nodes that they refer to, each after those that it refers to. */
  agents?: { byRole: Readonly<Record<string, Agent>>; nodes: readonly Node[] };
  /** The model of every agent that has one, those of workflows that play roles included. */
  model?: { model: string; modelName: string };
};

type Bound = { agents: Record<string, Hash>; nodes: Node[] };

/**
 * The agents of a fork: those that the thread was pinned to, but for the ones that were asked for. Throws `role-unknown`
 * (fix-input), and `node-missing`.
 */
export const forkAgents = async (
  store: Pick<Store, "load">,
  pinned: Readonly<Record<string, Hash>>,
  { agents, model }: OtherAgents,
): Promise<Bound> => {
  const roles = Object.keys(pinned);
  const unknown = Object.keys(agents?.byRole ?? {}).find((role) => !roles.includes(role));
  if (unknown !== undefined)
    throw inputError(
      "role-unknown",
      `The workflow has no role ${JSON.stringify(unknown.slice(0, 60))}${didYouMean(unknown, roles)}.`,
      `Its roles are: ${roles.join(", ")}.`,
    );
  const bound: Bound = { agents: {}, nodes: [...(agents?.nodes ?? [])] };
  const changed = new Map<Hash, Hash>();
  for (const [role, hash] of Object.entries(pinned)) {
    const asked = agents?.byRole[role];
    const node = asked === undefined ? null : makeNode("agent", asked);
    if (node !== null) bound.nodes.push(node);
    bound.agents[role] = node?.hash ?? (await withModel(store, { hash, model, nodes: bound.nodes, changed }));
  }
  return bound;
};

type Changing = {
  hash: Hash;
  model: OtherAgents["model"];
  nodes: Node[];
  /** What agents have become: one that plays many roles is changed once. */
  changed: Map<Hash, Hash>;
};

/** The agent with another model; itself where there is none to change. */
const withModel = async (store: Pick<Store, "load">, changing: Changing): Promise<Hash> => {
  const { hash, model, nodes, changed } = changing;
  const known = changed.get(hash);
  if (model === undefined || known !== undefined) return known ?? hash;
  const agent = await store.load("agent", hash);
  let now = hash;
  if (agent.adapter === "workflow") {
    const agents: Record<string, Hash> = {};
    for (const [role, inner] of Object.entries(agent.agents))
      agents[role] = await withModel(store, { ...changing, hash: inner });
    now = added(nodes, { ...agent, agents });
  } else if (agent.adapter !== "command") now = added(nodes, { ...agent, ...model });
  changed.set(hash, now);
  return now;
};

const added = (nodes: Node[], agent: Agent): Hash => {
  const node = makeNode("agent", agent);
  nodes.push(node);
  return node.hash;
};
