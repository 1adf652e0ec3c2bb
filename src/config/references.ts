import { didYouMean } from "../base/nearest.ts";
import type { ValueProblem } from "../base/value-problems.ts";
import type { ConfigFile } from "./config.ts";

/** Names in the file that nothing has. */
export const brokenReferences = (file: ConfigFile): ValueProblem[] => {
  const kinds = {
    provider: Object.keys(file.providers),
    model: Object.keys(file.models),
    agent: Object.keys(file.agents),
  };
  const problems: ValueProblem[] = [];
  const check = (kind: keyof typeof kinds, name: string | undefined, path: string[]): void => {
    if (name === undefined || kinds[kind].includes(name)) return;
    const known = kinds[kind].length === 0 ? "none is configured" : `configured: ${kinds[kind].join(", ")}`;
    const hint = didYouMean(name, kinds[kind]) || `; ${known}`;
    problems.push({ path, message: `there is no ${kind} "${name}"${hint}` });
  };

  for (const [alias, { provider }] of Object.entries(file.models)) {
    check("provider", provider, ["models", alias, "provider"]);
  }
  // Without models the environment may bring one; what is then still missing is said when a model is needed.
  if (kinds.model.length > 0) {
    check("model", file.defaultModel, ["defaultModel"]);
    for (const [use, alias] of Object.entries(file.modelOverrides))
      check("model", alias, ["modelOverrides", use]);
    for (const [name, { model }] of Object.entries(file.agents))
      check("model", model, ["agents", name, "model"]);
  }
  check("agent", file.defaultAgent, ["defaultAgent"]);
  for (const [workflow, roles] of Object.entries(file.agentOverrides)) {
    for (const [role, name] of Object.entries(roles))
      check("agent", name, ["agentOverrides", workflow, role]);
  }
  return problems;
};
