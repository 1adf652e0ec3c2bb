import { silentLog } from "../../src/base/log.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { designerAgent } from "../../src/designer/agent/designer-agent.ts";
import { turnOf } from "../../src/designer/agent/turn-output.ts";
import { installedCatalogue } from "../../src/designer/installed.ts";
import { DesignTurn } from "../../src/forge/text/design-turn.ts";
import type { Model } from "../../src/llm/model.ts";
import type { Store, ThreadRecord } from "../../src/store/store.ts";
import { resumeThread } from "../../src/thread/commands.ts";
import type { RunOptions } from "../../src/thread/control.ts";
import type { Engine } from "../../src/thread/engine.ts";
import { runThread } from "../../src/thread/run.ts";
import { readBundledWorkflow } from "../../src/workflow/bundled.ts";
import { type ThreadBench, threadBench } from "../fixtures/thread-bench.ts";
import { modelAt } from "./asking.ts";
import type { ModelScript } from "./model-script.ts";
import { type ModelServer, modelServer } from "./model-server.ts";

/** Conversations in threads, over a real store and a scripted model behind HTTP. */
export type TalkingThread = {
  bench: ThreadBench;
  server: ModelServer;
  /** An engine on a store, which may be one that a process sees that dies. */
  engineOn(store: Store): Engine;
  /** A thread of the bundled workflow; a repository: a local one that it works on. */
  start(input: string, options?: Parameters<ThreadBench["start"]>[1]): Promise<ThreadRecord["id"]>;
  run(id: ThreadRecord["id"], options?: Partial<RunOptions>): Promise<ThreadRecord>;
  /** Says something to a thread that waits, and runs it until it waits again. */
  say(id: ThreadRecord["id"], words: string): Promise<ThreadRecord>;
  /** What the steps have told the person, oldest first. */
  told(id: ThreadRecord["id"]): Promise<DesignTurn[]>;
} & AsyncDisposable;

/** A million tokens cost a dollar. */
const PRICE = { input: 1, cachedInput: 1, output: 1 };

export const talkingThread = async (script: ModelScript): Promise<TalkingThread> => {
  const server = await modelServer({ script });
  const model: Model = modelAt(server.url, { provider: { apiKeyEnv: null }, model: { price: PRICE } });
  const bench = await threadBench(model);
  const config = loadConfig({
    env: { UWF_STORAGE_ROOT: bench.root, OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
  });
  const engineOn = (store: Store): Engine => ({
    ...bench.engine,
    store,
    adapterOf: (_agent, session) =>
      designerAgent(
        {
          ...{ store, log: silentLog, now: Date.now, library: null },
          catalogue: installedCatalogue(config, store),
          model: async () => model,
        },
        session,
      ),
  });
  const { store } = bench;
  const engine = engineOn(store);
  const run: TalkingThread["run"] = (id, options = {}) =>
    runThread(engine, id, { signal: new AbortController().signal, ...options });
  return {
    ...{ bench, server, engineOn, run },
    start: async (input, options = {}) =>
      (await bench.start((await readBundledWorkflow("design")) ?? "", { input, ...options })).id,
    say: async (id, words) => {
      await resumeThread(engine, id, words);
      return run(id);
    },
    told: async (id) => {
      const { steps } = await store.history((await store.thread(id))?.head as never);
      const said = steps.flatMap(({ output }) => turnOf(output)?.said ?? []);
      const texts = await store.loadAll("text", said as never);
      return texts.map(({ text }) => DesignTurn.parse(JSON.parse(text)));
    },
    [Symbol.asyncDispose]: async () => {
      await bench.dispose();
      await server.close();
    },
  };
};
