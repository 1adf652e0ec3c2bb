import { inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
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

/** How many workflows may play roles in one, at any depth. */
const MOST_WORKFLOWS = 50;

/**
 * Pins who plays the roles of a workflow, and of the workflows that play roles in it: they lie `limits.maxDepth` deep in each
 * other at most, and each is read once. Throws as `agentFor`, `withServers` and `findWorkflow` do, `role-unknown` (fix-input) for a role
 * asked for that none has, and `workflow-too-large` (fix-input) for one in which too many others play.
 */
export const bindAgents = async (
  config: Config,
  workflow: Workflow,
  options: BindOptions,
): Promise<BoundAgents> => {
  const met = new Set<string>();
  const nodes = new Map<Hash, Node>();
  const at: At = { ...options, depth: 0, met, nodes, found: new Map(), bound: new Map() };
  const agents = await bindAt(config, workflow, at);
  for (const name of options.asked?.roles.keys() ?? [])
    if (!met.has(name))
      throw inputError(
        "role-unknown",
        `${workflow.name} has no role "${name}"${didYouMean(name, met)}`,
        `Its roles are: ${[...met].join(", ")}.`,
      );
  return { agents, nodes: [...nodes.values()] };
};

type At = BindOptions & {
  depth: number;
  /** The names of all roles that were bound. */
  met: Set<string>;
  nodes: Map<Hash, Node>;
  /** Workflows by name. */
  found: Map<string, Workflow>;
  /** The agent that a workflow is, by depth and name: the same one wherever it plays. */
  bound: Map<string, Agent>;
};

const bindAt = async (config: Config, workflow: Workflow, at: At): Promise<Record<string, Agent>> => {
  const agents: Record<string, Agent> = {};
  for (const role of Object.values(workflow.roles)) {
    at.met.add(role.name);
    const about = { workflow: workflow.name, role: role.name, asked: at.asked ?? null };
    const chosen = chosenAgent(config, about);
    const name = workflowFor(role, chosen);
    if (name === null) {
      const agent = agentFor(config, chosen, { role, model: at.model });
      agents[role.name] = withServers(config, agent, { workflow: workflow.name, role });
      continue;
    }
    agents[role.name] = await bindWorkflow(config, name, { ...at, depth: at.depth + 1 });
  }
  return agents;
};

/** The workflow that plays the role; null when somebody else does. An agent named for just this role plays instead of its workflow. */
const workflowFor = (role: Role, { agent, forRole }: ChosenAgent & { forRole: boolean }): string | null =>
  (forRole ? null : role.workflow) ?? agent.workflow ?? null;

/** What lies too deep is not even looked for: its role fails when its turn comes. */
const bindWorkflow = async (config: Config, name: string, at: At): Promise<Agent> => {
  if (at.depth > config.limits.maxDepth) return { adapter: "workflow", name, workflow: null, agents: {} };
  const key = `${at.depth} ${name}`;
  const known = at.bound.get(key);
  if (known !== undefined) return known;
  const workflow = await workflowNamed(name, at);
  const definition = workflowNodes(workflow);
  const agents: Record<string, Hash> = {};
  for (const node of definition.nodes) at.nodes.set(node.hash, node);
  for (const [role, agent] of Object.entries(await bindAt(config, workflow, at))) {
    const node = makeNode("agent", agent);
    at.nodes.set(node.hash, node);
    agents[role] = node.hash;
  }
  const agent: Agent = {
    adapter: "workflow",
    name: workflow.name,
    workflow: definition.workflow.hash,
    agents,
  };
  at.bound.set(key, agent);
  return agent;
};

const workflowNamed = async (name: string, { found, findWorkflow }: At): Promise<Workflow> => {
  const known = found.get(name);
  if (known !== undefined) return known;
  if (found.size >= MOST_WORKFLOWS)
    throw inputError(
      "workflow-too-large",
      `More than ${MOST_WORKFLOWS} workflows would play roles in this one.`,
    );
  const workflow = await findWorkflow(name);
  found.set(name, workflow);
  return workflow;
};
