import { AppError, configError, inputError } from "../base/errors.ts";
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
 * asked for that none has, `workflow-too-large` (fix-input) for one in which too many others play, and `agent-recursive` (fix-config)
 * where the default agent is a workflow whose own roles nobody else plays.
 */
export const bindAgents = async (
  config: Config,
  workflow: Workflow,
  options: BindOptions,
): Promise<BoundAgents> => {
  const met = new Set<string>();
  const nodes = new Map<Hash, Node>();
  const at: At = {
    ...{ ...options, asked: options.asked ?? null, wanted: "", depth: 0, byDefault: [] },
    ...{ met, nodes, found: new Map(), bound: new Map() },
  };
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
  asked: AskedAgents | null;
  /** Who wants the workflow, for people. */
  wanted: string;
  depth: number;
  /** The workflows around, outermost first, that play because they are the default agent. */
  byDefault: readonly string[];
  /** The names of all roles that were bound. */
  met: Set<string>;
  nodes: Map<Hash, Node>;
  /** Workflows by name. */
  found: Map<string, Workflow>;
  /** The agent that a workflow is, by depth, who was asked for, and name: the same one wherever it plays. */
  bound: Map<string, Agent>;
};

const bindAt = async (config: Config, workflow: Workflow, at: At): Promise<Record<string, Agent>> => {
  const agents: Record<string, Agent> = {};
  for (const role of Object.values(workflow.roles)) {
    at.met.add(role.name);
    const about = { workflow: workflow.name, role: role.name, asked: at.asked };
    const chosen = chosenAgent(config, about);
    const played = workflowFor(role, chosen);
    if (played === null) {
      const agent = agentFor(config, chosen, { role, model: at.model });
      agents[role.name] = withServers(config, agent, { workflow: workflow.name, role });
      continue;
    }
    const asked = played.asAgent ? withoutOthers(at.asked) : at.asked;
    const wanted = `which is to play the role "${role.name}" of "${workflow.name}"`;
    const isDefault = played.asAgent && !chosen.forRole && !at.asked?.others;
    if (isDefault && at.byDefault.includes(played.name)) throw playsItself(chosen, played.name, about);
    agents[role.name] = await bindWorkflow(config, played.name, {
      ...at,
      byDefault: isDefault ? [...at.byDefault, played.name] : at.byDefault,
      asked,
      wanted,
      depth: at.depth + 1,
    });
  }
  return agents;
};

const playsItself = (
  { name }: ChosenAgent,
  played: string,
  { workflow, role }: { workflow: string; role: string },
): Error =>
  configError(
    "agent-recursive",
    `the default agent "${name}" is the workflow "${played}", and would play the role "${role}" of "${workflow}" within itself`,
    `Name another agent for it under agentOverrides.${workflow} in config.yaml.`,
  );

/** Where a workflow was asked for as the agent of all roles, its own are played as configured: it does not play in itself. */
const withoutOthers = (asked: AskedAgents | null): AskedAgents | null =>
  asked?.others?.agent.workflow === undefined ? asked : { ...asked, others: null };

/**
 * The workflow that plays the role, as the file says or as an agent; null when somebody else does. An agent named for just this role
 * plays instead of its workflow.
 */
const workflowFor = (
  role: Role,
  { agent, forRole }: ChosenAgent & { forRole: boolean },
): { name: string; asAgent: boolean } | null => {
  if (!forRole && role.workflow !== null) return { name: role.workflow, asAgent: false };
  return agent.workflow === undefined ? null : { name: agent.workflow, asAgent: true };
};

/** What lies too deep is not even looked for: its role fails when its turn comes. */
const bindWorkflow = async (config: Config, name: string, at: At): Promise<Agent> => {
  if (at.depth > config.limits.maxDepth) return { adapter: "workflow", name, workflow: null, agents: {} };
  const key = `${at.depth} ${at.asked?.others ? "as asked" : ""} ${at.byDefault.join("/")} ${name}`;
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

const workflowNamed = async (name: string, { found, wanted, findWorkflow }: At): Promise<Workflow> => {
  const known = found.get(name);
  if (known !== undefined) return known;
  if (found.size >= MOST_WORKFLOWS)
    throw inputError(
      "workflow-too-large",
      `More than ${MOST_WORKFLOWS} workflows would play roles in this one.`,
    );
  const workflow = await findWorkflow(name).catch((error: unknown) => {
    throw wantedBy(error, wanted);
  });
  found.set(name, workflow);
  return workflow;
};

const wantedBy = (error: unknown, wanted: string): unknown => {
  if (!(error instanceof AppError) || error.code !== "workflow-unknown") return error;
  const { code, remedy, hint } = error;
  return new AppError(`${error.message}, ${wanted}`, {
    code,
    remedy,
    ...(hint === undefined ? {} : { hint }),
  });
};
