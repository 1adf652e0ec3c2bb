import type { ValueProblem } from "../base/value-problems.ts";
import { agentProblems } from "./agent-problems.ts";
import type { ConfigFile } from "./config.ts";

/** What the file says twice in different ways, or asks for without what it takes. */
export const contradictions = (file: ConfigFile): ValueProblem[] => [
  ...misplacedNames(file.allow),
  ...agentProblems(file.agents),
  ...defaultAgentProblems(file),
  ...monthlyProblems(file),
];

const misplacedNames = ({ organisations }: ConfigFile["allow"]): ValueProblem[] =>
  organisations.flatMap((name, index) =>
    /[/\s]/.test(name)
      ? [
          {
            path: ["allow", "organisations", index],
            message: "must be an owner's name alone; owner/name belongs under allow.repositories",
          },
        ]
      : [],
  );

/** A workflow that plays whatever role nobody else does plays its own as well, one in the other. */
const defaultAgentProblems = ({ agents, defaultAgent, agentOverrides }: ConfigFile): ValueProblem[] => {
  const workflow = Object.hasOwn(agents, defaultAgent) ? agents[defaultAgent]?.workflow : undefined;
  if (workflow === undefined || Object.hasOwn(agentOverrides, workflow)) return [];
  const message = `is the workflow ${workflow}, which would play its own roles too: name others for these under agentOverrides.${workflow}, or this one for the roles that it is to play`;
  return [{ path: ["defaultAgent"], message }];
};

/** A month's limit that holds nothing back would be worse than none. */
const monthlyProblems = ({ limits, models }: ConfigFile): ValueProblem[] => {
  const set = Object.entries(limits.monthly).filter(([, usd]) => usd !== null);
  const unpriced = Object.entries(models).filter(([, { price }]) => price === undefined);
  const first = set[0]?.[0];
  if (first === undefined) return [];
  const { budgetUsd } = limits;
  const noBudget: ValueProblem[] =
    budgetUsd === null
      ? [
          {
            path: ["limits", "budgetUsd"],
            message: `must not be null with limits.monthly.${first}: what a running thread may still spend counts as spent`,
          },
        ]
      : [];
  const tooLittle = set.flatMap(([name, usd]): ValueProblem[] =>
    budgetUsd !== null && usd !== null && usd < budgetUsd
      ? [
          {
            path: ["limits", "monthly", name],
            message: `must be at least limits.budgetUsd (${budgetUsd}), or no thread could begin`,
          },
        ]
      : [],
  );
  const noModels: ValueProblem[] =
    Object.keys(models).length === 0
      ? [
          {
            path: ["limits", "monthly", first],
            message: "needs models with a price, under models: the environment's has none",
          },
        ]
      : [];
  const noPrices = unpriced.map(
    ([alias]): ValueProblem => ({
      path: ["models", alias, "price"],
      message: `missing, though limits.monthly.${first} counts money`,
    }),
  );
  return [...noBudget, ...tooLittle, ...noModels, ...noPrices];
};
