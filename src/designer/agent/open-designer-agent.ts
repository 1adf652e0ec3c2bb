import type { AdapterFn } from "../../agents/adapter.ts";
import type { Log } from "../../base/log.ts";
import type { Config } from "../../config/config.ts";
import type { Model } from "../../llm/model.ts";
import type { Store } from "../../store/store.ts";
import type { AgentSession } from "../../thread/engine.ts";
import { indexedLibrary } from "../indexed-library.ts";
import { installedCatalogue } from "../installed.ts";
import { designerAgent } from "./designer-agent.ts";

/** The designer for threads: what they share is read once. */
export const openDesignerAgent = (
  config: Pick<Config, "agents" | "models" | "mcpServers" | "sandbox">,
  { store, log }: { store: Store; log: Log },
): ((model: () => Promise<Model>, session: AgentSession) => AdapterFn) => {
  const parts = {
    ...{ store, log, now: Date.now },
    catalogue: installedCatalogue(config, store),
    library: indexedLibrary(store),
  };
  return (model, session) => designerAgent({ ...parts, model }, session);
};
