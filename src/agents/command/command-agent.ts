import type { AdapterFn } from "../adapter.ts";
import { metaAgent } from "./meta-agent.ts";
import { type CommandAgent, type CommandSession, type ProgramParts, playProgram } from "./play-program.ts";
import { type StepAgentParts, type StepSession, stepAgent } from "./step-agent.ts";

export type CommandAgentParts = { parts: ProgramParts; store: StepAgentParts["store"] };

/** The program of an agent with one of the protocols `meta` and `step`. */
export const commandAgent = (
  agent: CommandAgent,
  session: CommandSession & StepSession,
  { parts, store }: CommandAgentParts,
): AdapterFn => {
  const { name } = agent;
  const play: StepAgentParts["play"] = (context, args) =>
    playProgram({ agent, session, parts }, context, args);
  return agent.protocol === "step" ? stepAgent({ play, name, session, store }) : metaAgent({ play, name });
};
