import type { Redact } from "../base/redact.ts";
import type { Model } from "../llm/model.ts";
import type { McpServer } from "../store/agent-payload.ts";
import { builtinTools, toolsNamed } from "../tools/builtin.ts";
import type { ConnectedServers } from "../tools/mcp/connect-servers.ts";
import type { StoredNodes } from "../tools/stored-nodes.ts";
import type { Tool } from "../tools/tool.ts";
import { toolbox } from "../tools/toolbox.ts";
import { serverTool } from "../workflow/tool-names.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AdapterFn, ThreadContext } from "./adapter.ts";
import { createReactAdapter } from "./react-adapter.ts";
import type { LoopEvent } from "./react-config.ts";
import { RESOLVE } from "./resolve-tool.ts";
import { seenFrom } from "./seen.ts";

const DEFAULT_MAX_TURNS = 100;

export type BuiltinAgentConfig = {
  /** Opened when the role begins; its turns may then use the tools. */
  model: () => Promise<Model>;
  workspace: () => Promise<Workspace>;
  /** Names of built-in tools, and of servers' (`docs:search`), which `servers` has already; null: all. */
  tools: readonly string[] | null;
  /** Servers whose tools it has as well, and the values of variables that they may be given. */
  servers?: readonly McpServer[] | undefined;
  variable?: (name: string) => string | undefined;
  /** What of the store it may read; absent: nothing. */
  nodes?: StoredNodes;
  /** Masks what no model may be told of what tools answer. */
  redact?: Redact;
  maxTurns?: number | undefined;
  checkpoint: () => void;
  observe: (event: LoopEvent) => void;
};

/** The agent that needs nothing else installed: the model and tool loop with the built-in tools in a workspace. */
export const builtinAgent =
  (config: BuiltinAgentConfig): AdapterFn =>
  (prompt, schema) =>
  async (context) => {
    const [provider, workspace] = await Promise.all([config.model(), config.workspace()]);
    const servers = await connected(config, { workspace, context });
    try {
      const play = loopWith([...ownTools(config), ...servers.tools], {
        config,
        provider,
        workspace,
        context,
      });
      return await play(prompt, schema)(context);
    } finally {
      await servers.close();
    }
  };

const loopWith = (
  tools: readonly Tool[],
  {
    config,
    provider,
    workspace,
    context,
  }: { config: BuiltinAgentConfig; provider: Model; workspace: Workspace; context: ThreadContext },
): AdapterFn => {
  const seen = seenFrom(context.journal.turns);
  const { nodes, redact } = config;
  const box = toolbox(tools, {
    ...{ workspace, signal: context.signal, seen },
    ...(nodes ? { nodes } : {}),
    ...(redact ? { redact } : {}),
  });
  return createReactAdapter({
    provider,
    tools: box.definitions,
    effect: box.effect,
    toolHandler: async (name, args, { signal, onOutput }) => {
      const answer = await box.run(name, JSON.parse(args), { signal, onOutput });
      for (const [path, hash] of Object.entries(answer.seen ?? {})) seen.set(path, hash);
      return answer;
    },
    maxRounds: config.maxTurns ?? DEFAULT_MAX_TURNS,
    observe: config.observe,
    checkpoint: config.checkpoint,
    onCompaction: () => seen.clear(),
  });
};

const ownTools = ({ tools }: BuiltinAgentConfig): Tool[] =>
  toolsNamed(tools === null ? null : tools.filter((name) => serverTool(name) === null));

/** The servers' client is loaded by those who have a server. */
const connected = async (
  { servers = [], variable = () => undefined }: BuiltinAgentConfig,
  { workspace, context }: { workspace: Workspace; context: ThreadContext },
): Promise<ConnectedServers> => {
  if (servers.length === 0) return { tools: [], close: async () => undefined };
  const { connectServers } = await import("../tools/mcp/connect-servers.ts");
  const taken = [...builtinTools.map(({ name }) => name), RESOLVE];
  return connectServers(servers, { workspace, variable, signal: context.signal, taken });
};
