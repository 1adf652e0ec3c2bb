import type { ValueProblem } from "../base/value-problems.ts";
import { type AgentConfig, programOf } from "./agent-config.ts";
import { isOwnVariable } from "./own-variables.ts";

const ofPrograms = ["args", "env", "timeoutSeconds", "protocol", "preset", "sandbox", "network"] as const;

/** What an agent says that does not go together, or that it would need. */
export const agentProblems = (agents: Readonly<Record<string, AgentConfig>>): ValueProblem[] =>
  Object.entries(agents).flatMap(([name, agent]) =>
    problemsOf(agent).map(([key, message]) => ({
      path: key === null ? ["agents", name] : ["agents", name, ...key],
      message,
    })),
  );

type Problem = [key: (string | number)[] | null, message: string];

const problemsOf = (agent: AgentConfig): Problem[] => {
  const kinds = (["adapter", "command", "workflow"] as const).filter((key) => agent[key] !== undefined);
  const [kind, second] = kinds;
  if (kind === undefined) return [[null, "must have an adapter, a command or a workflow: who plays?"]];
  if (second !== undefined) return [[[second], `does not go with ${kind}: an agent is one of both`]];
  return [
    ...misplaced(agent, kind),
    ...(kind === "command" ? [...programProblems(agent), ...nameProblems(agent)] : []),
  ];
};

const misplaced = (agent: AgentConfig, kind: string): Problem[] => [
  ...(kind === "command"
    ? []
    : ofPrograms
        .filter((key) => agent[key] !== undefined)
        .map((key): Problem => [[key], `goes with a command only, not with ${kind}`])),
  ...(kind === "adapter" || agent.model === undefined
    ? []
    : ([[["model"], `goes with an adapter only, not with ${kind}`]] satisfies Problem[])),
];

const programProblems = (agent: AgentConfig): Problem[] => {
  const program = programOf(agent);
  if (program === null) return [];
  const { command, protocol, preset, sandbox } = program;
  const problems: Problem[] = [];
  if (/[/\\]/.test(command) && !command.startsWith("/"))
    problems.push([
      ["command"],
      "must be a name on the search path or an absolute path: a relative one would lead into the repository",
    ]);
  if (preset !== null && protocol !== "text")
    problems.push([["protocol"], `must be text with a preset: ${preset} answers text`]);
  if (sandbox === "thread" && protocol !== "text")
    problems.push([
      ["sandbox"],
      `must be none for the protocol ${protocol}: the program needs the store, which the thread's sandbox hides`,
    ]);
  if (sandbox === "none" && agent.network !== undefined)
    problems.push([
      ["network"],
      "goes with `sandbox: thread` only: outside, nothing holds the program to a list",
    ]);
  return problems;
};

const nameProblems = ({ env = [] }: AgentConfig): Problem[] =>
  env.flatMap((name, index): Problem[] => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      return [[["env", index], "must be the name of an environment variable, not its value"]];
    return isOwnVariable(name) ? [[["env", index], `is uwf's own: no agent is given ${name} by name`]] : [];
  });
