import { configError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Agent } from "../store/agent-payload.ts";
import { DESIGN } from "../workflow/reserved.ts";
import { type AgentConfig, type ProgramConfig, programOf } from "./agent-config.ts";
import type { Config } from "./config.ts";
import { extractModel, modelNamed } from "./models.ts";

/** An agent of the configuration by its name there, or one that a person gave as a command line. */
export type ChosenAgent = { name: string; agent: AgentConfig };

/** The agents that a person asked for: for these roles, and for all others; null: as configured. */
export type AskedAgents = { roles: ReadonlyMap<string, ChosenAgent>; others: ChosenAgent | null };

type RoleToBind = {
  role: { name: string; model: string | null };
  /** A model alias that a person asked for; null: as configured. */
  model: string | null;
};

const DESIGNER: ChosenAgent = { name: "designer", agent: { adapter: "designer" } };

/**
 * The agent of a role: the one asked for, the one of `agentOverrides`, the designer, or `defaultAgent`. `forRole`: somebody named it
 * for just this role. Throws `agent-unknown` (fix-config).
 */
export const chosenAgent = (
  config: Pick<Config, "agents" | "agentOverrides" | "defaultAgent">,
  { workflow, role, asked }: { workflow: string; role: string; asked: AskedAgents | null },
): ChosenAgent & { forRole: boolean } => {
  const given = asked?.roles.get(role);
  if (given !== undefined) return { ...given, forRole: true };
  const override = config.agentOverrides[workflow]?.[role];
  if (override === undefined && workflow === DESIGN) return { ...DESIGNER, forRole: true };
  if (asked?.others) return { ...asked.others, forRole: false };
  const name = override ?? config.defaultAgent;
  return {
    ...agentNamed(config, name, `which ${workflow}'s ${role} needs`),
    forRole: override !== undefined,
  };
};

/** The agent with this alias. Throws `agent-unknown` (fix-config). */
const agentNamed = ({ agents }: Pick<Config, "agents">, name: string, need: string): ChosenAgent => {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent !== undefined) return { name, agent };
  throw configError(
    "agent-unknown",
    `no agent is called "${name}"${didYouMean(name, Object.keys(agents))}, ${need}`,
    "Configure it under `agents` in config.yaml.",
  );
};

/**
 * The node that pins an agent for a role: a program as it is configured now, or a model by name. The model is the one asked for,
 * the agent's own, the role's by `modelOverrides`, the role's own, or `defaultModel`; `default` always means `defaultModel`.
 * Workflows are pinned by `bindAgents`. Throws `model-unconfigured` (fix-config).
 */
export const agentFor = (
  config: Config,
  { name, agent }: ChosenAgent,
  { role, model }: RoleToBind,
): Agent => {
  const program = programOf(agent);
  if (program !== null) return programAgent(config, name, program);
  const wanted = model ?? agent.model ?? modelOfRole(config, role);
  const alias = wanted === "default" ? config.defaultModel : wanted;
  const modelName = modelNamed(config, alias).model.name;
  return { adapter: agent.adapter ?? "react", name, model: alias, modelName };
};

/** The alias of the model that a role is given where nobody says otherwise. */
const modelOfRole = (config: Pick<Config, "modelOverrides">, role: RoleToBind["role"]): string =>
  config.modelOverrides[role.name] ?? role.model ?? "default";

const programAgent = (config: Config, name: string, program: ProgramConfig): Agent => ({
  adapter: "command",
  name,
  ...program,
  extract: program.protocol === "text" ? extractModel(config) : null,
});
