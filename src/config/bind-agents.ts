import { inputError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Agent } from "../store/agent-payload.ts";
import { makeNode, type Node } from "../store/node.ts";
import { workflowNodes } from "../workflow/nodes.ts";
import type { Role, Workflow } from "../workflow/workflow.ts";
import { type AskedAgents, agentFor, type ChosenAgent, chosenAgent } from "./agents.ts";
import type { Config } from "./config.ts";
import { withServers } from "./mcp-servers.ts";

export type BindOptions = {
  /** A model alias for every role; null: as configured. */
  model: string | null;
  /** Agents that a person asked for; null: as configured. */
  asked?: AskedAgents | null;
  /** Finds the workflow that plays a role, by its name. */
  findWorkflow(name: string): Promise<Workflow>;
};

/** Who plays each role of a workflow, and the nodes that these agents refer to, each after those that it refers to. */
export type BoundAgents = { agents: Record<string, Agent>; nodes: Node[] };

/**
 * Pins who plays the roles of a workflow, and of the workflows that play roles in it: they lie `limits.maxDepth` deep in each
 * other at most. Throws as `agentFor`, `withServers` and `findWorkflow` do, and `role-unknown` (fix-input) for a role asked for that none has.
 */
export const bindAgents = async (
  config: Config,
  workflow: Workflow,
  options: BindOptions,
): Promise<BoundAgents> => {
  const met = new Set<string>();
  const bound = await bindAt(config, workflow, { ...options, depth: 0, met });
  for (const name of options.asked?.roles.keys() ?? [])
    if (!met.has(name))
      throw inputError(
        "role-unknown",
        `${workflow.name} has no role "${name}"${didYouMean(name, met)}`,
        `Its roles are: ${[...met].join(", ")}.`,
      );
  return bound;
};

/** `met`: the names of all roles that were bound. */
type At = BindOptions & { depth: number; met: Set<string> };

const bindAt = async (config: Config, workflow: Workflow, at: At): Promise<BoundAgents> => {
  const bound: BoundAgents = { agents: {}, nodes: [] };
  for (const role of Object.values(workflow.roles)) {
    at.met.add(role.name);
    const about = { workflow: workflow.name, role: role.name, asked: at.asked ?? null };
    const chosen = chosenAgent(config, about);
    const name = workflowFor(role, chosen);
    if (name === null) {
      const agent = agentFor(config, chosen, { role, model: at.model });
      bound.agents[role.name] = withServers(config, agent, { workflow: workflow.name, role });
      continue;
    }
    const { agent, nodes } = await bindWorkflow(config, name, { ...at, depth: at.depth + 1 });
    bound.agents[role.name] = agent;
    bound.nodes.push(...nodes);
  }
  return bound;
};

/** The workflow that plays the role; null when somebody else does. An agent named for just this role plays instead of its workflow. */
const workflowFor = (role: Role, { agent, forRole }: ChosenAgent & { forRole: boolean }): string | null =>
  (forRole ? null : role.workflow) ?? agent.workflow ?? null;

/** What lies too deep is not even looked for: its role fails when its turn comes. */
const bindWorkflow = async (
  config: Config,
  name: string,
  at: At,
): Promise<{ agent: Agent; nodes: Node[] }> => {
  if (at.depth > config.limits.maxDepth)
    return { agent: { adapter: "workflow", name, workflow: null, agents: {} }, nodes: [] };
  const workflow = await at.findWorkflow(name);
  const definition = workflowNodes(workflow);
  const inner = await bindAt(config, workflow, at);
  const players = Object.entries(inner.agents).map(
    ([role, agent]) => [role, makeNode("agent", agent)] as const,
  );
  return {
    agent: {
      adapter: "workflow",
      name: workflow.name,
      workflow: definition.workflow.hash,
      agents: Object.fromEntries(players.map(([role, { hash }]) => [role, hash])),
    },
    nodes: [...definition.nodes, ...inner.nodes, ...players.map(([, node]) => node)],
  };
};
