import type { Model } from "../llm/model.ts";
import { toolsNamed } from "../tools/builtin.ts";
import { toolbox } from "../tools/toolbox.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AdapterFn } from "./adapter.ts";
import { createReactAdapter } from "./react-adapter.ts";
import type { LoopEvent } from "./react-config.ts";
import { seenFrom } from "./seen.ts";

const DEFAULT_MAX_TURNS = 100;

export type BuiltinAgentConfig = {
  /** Opened when the role begins; its turns may then use the tools. */
  model: () => Promise<Model>;
  workspace: () => Promise<Workspace>;
  /** Names of built-in tools; null: all. */
  tools: readonly string[] | null;
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
    const seen = seenFrom(context.journal.turns);
    const box = toolbox(toolsNamed(config.tools), { workspace, signal: context.signal, seen });
    const play = createReactAdapter({
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
    return play(prompt, schema)(context);
  };
