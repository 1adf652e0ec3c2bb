import type { AdapterFn } from "../agents/adapter.ts";
import { builtinAgent } from "../agents/builtin-agent.ts";
import { createLlmAdapter } from "../agents/llm-adapter.ts";
import { bugError } from "../base/errors.ts";
import type { Model } from "../llm/model.ts";
import type { Agent } from "../store/agent-payload.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentSession } from "./engine.ts";

export type AgentParts = {
  /** The model that an agent is pinned to. */
  modelOf(pinned: { model: string; modelName: string }): Promise<Model>;
  /** The thread's workspace, once the sandbox is known to hold. */
  sandboxed(session: AgentSession): Promise<Workspace>;
};

/** The code that plays each kind of agent. Workflows are played by the engine itself. */
export const agentAdapters =
  ({ modelOf, sandboxed }: AgentParts) =>
  (agent: Agent, session: AgentSession): AdapterFn => {
    switch (agent.adapter) {
      case "react":
        return builtinAgent({
          model: () => modelOf(agent),
          workspace: () => sandboxed(session),
          tools: session.role.tools,
          maxTurns: session.role.limits.maxTurns,
          checkpoint: session.checkpoint,
          observe: session.emit,
        });
      case "llm":
        return (prompt, schema) => async (context) =>
          createLlmAdapter(await modelOf(agent), { observe: session.emit })(prompt, schema)(context);
      case "command":
        throw bugError("no program plays roles yet");
      case "workflow":
        throw bugError("a workflow is no program");
    }
  };
