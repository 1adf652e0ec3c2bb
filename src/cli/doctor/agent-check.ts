import { programOf } from "../../config/agent-config.ts";
import type { Config } from "../../config/config.ts";
import { isProgram } from "../../config/find-program.ts";
import { type Check, ok } from "./check.ts";

/** Whether the programs of the configured agents are there; null where no agent is a program. */
export const checkAgents = ({ agents, variables }: Pick<Config, "agents" | "variables">): Check | null => {
  const programs = Object.entries(agents).flatMap(([name, agent]) => {
    const program = programOf(agent);
    return program === null ? [] : [{ name, ...program }];
  });
  if (programs.length === 0) return null;
  const gone = programs.filter(({ command }) => !isProgram(command, variables.PATH ?? ""));
  const unset = programs.flatMap(({ name, env }) =>
    env.filter((key) => variables[key] === undefined).map((key) => `${name}: ${key} is not set`),
  );
  if (gone.length === 0 && unset.length === 0)
    return ok("agents", programs.map(({ name, protocol }) => `${name} (${protocol})`).join(", "));
  return {
    name: "agents",
    state: "missing",
    detail: [...gone.map(({ name, command }) => `${name}: there is no program ${command}`), ...unset].join(
      "; ",
    ),
    hint: "Install the program, or set the variable in the environment or in .env; or take the agent out of config.yaml.",
  };
};
