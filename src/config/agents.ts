import { configError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Payload } from "../store/payload.ts";
import type { Config } from "./config.ts";
import { modelNamed } from "./models.ts";

type RoleToBind = {
  /** The workflow's name. */
  workflow: string;
  role: { name: string; model: string | null };
  /** A model alias that a person asked for; null: as configured. */
  model: string | null;
};

/**
 * The agent that plays a role, by `agentOverrides` and `defaultAgent`, with its model pinned by name. The model is
 * the one asked for, the agent's own, the role's by `modelOverrides`, the role's own, or `defaultModel`; `default`
 * always means `defaultModel`. Throws `agent-unknown` and `model-unconfigured` (fix-config).
 */
export const agentFor = (config: Config, { workflow, role, model }: RoleToBind): Payload<"agent"> => {
  const name = config.agentOverrides[workflow]?.[role.name] ?? config.defaultAgent;
  const agent = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined;
  if (agent === undefined)
    throw configError(
      "agent-unknown",
      `no agent is called "${name}"${didYouMean(name, Object.keys(config.agents))}, which ${workflow}'s ${role.name} needs`,
      "Configure it under `agents` in config.yaml.",
    );
  const wanted = model ?? agent.model ?? config.modelOverrides[role.name] ?? role.model ?? "default";
  const alias = wanted === "default" ? config.defaultModel : wanted;
  return { adapter: agent.adapter, name, model: alias, modelName: modelNamed(config, alias).model.name };
};
