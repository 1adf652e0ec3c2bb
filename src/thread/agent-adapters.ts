import type { AdapterFn } from "../agents/adapter.ts";
import { builtinAgent } from "../agents/builtin-agent.ts";
import { commandAgent } from "../agents/command/command-agent.ts";
import type { CommandAgent, ProgramParts } from "../agents/command/play-program.ts";
import { createLlmAdapter } from "../agents/llm-adapter.ts";
import { agentToAdapter } from "../agents/text/agent-to-adapter.ts";
import { programTextAgent } from "../agents/text/program-text-agent.ts";
import { bugError } from "../base/errors.ts";
import type { Redact } from "../base/redact.ts";
import type { Model } from "../llm/model.ts";
import type { Agent } from "../store/agent-payload.ts";
import type { Store } from "../store/store.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentSession } from "./engine.ts";

export type DesignerAgent = Extract<Agent, { adapter: "designer" }>;

export type AgentParts = {
  /** The model that an agent is pinned to. */
  modelOf(pinned: { model: string; modelName: string }): Promise<Model>;
  /** The thread's workspace, once the sandbox is known to hold. */
  sandboxed(session: AgentSession): Promise<Workspace>;
  /** The value of a variable of this process's environment; undefined where it is not set. */
  variable(name: string): string | undefined;
  /** What programs are run with, and the store in which their steps are looked for. */
  programs: ProgramParts;
  store: Store;
  /** Plays the roles of who talks with a person about a workflow to make. */
  designer(agent: DesignerAgent, session: AgentSession): AdapterFn;
  /** Masks what no model may be told; absent: there is nothing of the kind. */
  redact?: Redact;
};

/** The code that plays each kind of agent. Workflows are played by the engine itself. */
export const agentAdapters =
  ({ modelOf, sandboxed, variable, programs, store, designer, redact }: AgentParts) =>
  (agent: Agent, session: AgentSession): AdapterFn => {
    switch (agent.adapter) {
      case "react":
        return builtinAgent({
          model: () => modelOf(agent),
          workspace: () => sandboxed(session),
          tools: session.role.tools,
          servers: agent.mcp,
          variable,
          nodes: session.nodes,
          ...(redact === undefined ? {} : { redact }),
          maxTurns: session.role.limits.maxTurns,
          checkpoint: session.checkpoint,
          observe: session.emit,
        });
      case "llm":
        return (prompt, schema) => async (context) =>
          createLlmAdapter(await modelOf(agent), { observe: session.emit })(prompt, schema)(context);
      case "command":
        if (agent.protocol === "text") return textAgent(agent, session, { modelOf, sandboxed, programs });
        return commandAgent(agent, session, { parts: programs, store });
      case "designer":
        return designer(agent, session);
      case "workflow":
        throw bugError("a workflow is no program");
    }
  };

/** A program that answers text: in the thread's sandbox, or outside of it as this process's user. */
const textAgent = (
  agent: CommandAgent,
  session: AgentSession,
  { modelOf, sandboxed, programs }: Pick<AgentParts, "modelOf" | "sandboxed" | "programs">,
): AdapterFn => {
  const { extract, name, sandbox } = agent;
  const workspace = () => (sandbox === "thread" ? sandboxed(session) : session.workspace());
  return agentToAdapter(
    programTextAgent({ agent, session, parts: programs, workspace }),
    extract === null ? null : () => modelOf(extract),
    { name, nodes: session.nodes, observe: session.emit, checkpoint: session.checkpoint, ready: workspace },
  );
};
