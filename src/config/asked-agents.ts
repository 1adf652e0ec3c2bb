import { basename, resolve } from "node:path";
import { inputError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import { splitWords } from "../base/split-words.ts";
import type { AskedAgents, ChosenAgent } from "./agents.ts";
import type { Config } from "./config.ts";
import { isProgram } from "./find-program.ts";

type Known = Pick<Config, "agents"> & {
  /** Where programs are looked for: directories with colons between them. */
  searchPath: string;
  /** Where relative paths begin. */
  cwd: string;
};

/**
 * The agents that a person asks for, each as `role=agent`, or as `agent` for all roles that none is named for. An agent is an alias
 * of the configuration, or a command line: `my-agent --flag`, whose protocol is `step` unless it begins with `meta:` or
 * `text:`. Throws `agent-unknown` (fix-input) for what is neither, and `usage` for what is named twice.
 */
export const askedAgents = (texts: readonly string[], known: Known): AskedAgents => {
  const roles = new Map<string, ChosenAgent>();
  let others: ChosenAgent | null = null;
  for (const text of texts) {
    const [, role, agent = text] = /^\s*([A-Za-z_][\w-]*)=(.*)$/s.exec(text) ?? [];
    if (role === undefined ? others !== null : roles.has(role))
      throw inputError(
        "usage",
        `--agent names ${role === undefined ? "all roles" : `the role ${role}`} twice`,
      );
    if (role === undefined) others = agentOf(agent, known);
    else roles.set(role, agentOf(agent, known));
  }
  return { roles, others };
};

const agentOf = (text: string, known: Known): ChosenAgent => {
  const alias = text.trim();
  const agent = Object.hasOwn(known.agents, alias) ? known.agents[alias] : undefined;
  if (agent !== undefined) return { name: alias, agent };
  const [, given, line = text] = /^\s*(meta|step|text):(.*)$/s.exec(text) ?? [];
  const protocol = (given ?? "step") as "meta" | "step" | "text";
  const words = splitWords(line);
  if (words === null) throw inputError("usage", `--agent ${text}: a quote is not closed`);
  const [program, ...args] = words;
  if (program === undefined) throw inputError("usage", "--agent names no agent", hintOf(known));
  const command = program.includes("/") ? resolve(known.cwd, program) : program;
  if (!isProgram(command, known.searchPath))
    throw unknown(program, { alone: args.length === 0 && given === undefined, known });
  return { name: basename(program), agent: { command, args, protocol } };
};

/** A single word may be an alias with a slip in it. */
const unknown = (program: string, { alone, known }: { alone: boolean; known: Known }) => {
  const meant = alone ? didYouMean(program, Object.keys(known.agents)) : "";
  const what = alone ? "is no agent of the configuration, and no program" : "is no program";
  return inputError("agent-unknown", `"${program}" ${what}${meant}`, hintOf(known));
};

const hintOf = ({ agents }: Known): string =>
  `Agents of the configuration: ${Object.keys(agents).join(", ")}. Anything else is a program with its arguments.`;
