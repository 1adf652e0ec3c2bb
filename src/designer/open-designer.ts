import { AppError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Model } from "../llm/model.ts";
import type { Store } from "../store/store.ts";
import type { DesignerParts, ProcessConversation } from "./designer.ts";
import type { Designs } from "./designs.ts";
import { indexedLibrary } from "./indexed-library.ts";
import { installedCatalogue } from "./installed.ts";
import { processConversation } from "./process-conversation.ts";
import { refusal } from "./refusal.ts";
import { keptSessions, type Sessions } from "./sessions.ts";
import { type StateManager, stateManager } from "./state-manager.ts";
import { storedDesigns } from "./stored-designs.ts";

/** The designer for whoever serves it. */
export type Designer = {
  process: ProcessConversation;
  states: StateManager;
  sessions: Sessions;
  workflows: Designs;
  catalogue: DesignerParts["catalogue"];
};

type OpenDesignerOptions = {
  store: Store;
  /** Opened when it is needed first: without a model the bot runs all the same, and who asks is told. */
  model: () => Promise<Model>;
  log: Log;
  /** The process: see `processHolder`. */
  holder: string;
  now?: () => number;
};

/** The alias of the model that holds conversations: `modelOverrides.designer`, else the default one. */
export const designerModel = ({
  modelOverrides,
  defaultModel,
}: Pick<Config, "modelOverrides" | "defaultModel">): string => {
  const named = modelOverrides.designer ?? "default";
  return named === "default" ? defaultModel : named;
};

export const openDesigner = (
  config: Pick<Config, "agents" | "models" | "mcpServers" | "sandbox" | "designer">,
  { store, model, log, holder, now = Date.now }: OpenDesignerOptions,
): Designer => {
  const { budgetTokens, budgetUsd, timeoutSeconds } = config.designer;
  const parts = {
    catalogue: installedCatalogue(config, store),
    workflows: storedDesigns(store),
    library: indexedLibrary(store),
    limits: { tokens: budgetTokens, usd: budgetUsd, timeoutSeconds },
    ...{ now, log },
  };
  const process: ProcessConversation = async function* (request, { signal }) {
    const opened = await model().catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    if (opened instanceof AppError) {
      const { code, message, hint = "" } = opened;
      const { session_id } = request;
      yield refusal({ error_code: code, message, details: hint }, { session_id, timestamp: now() });
      return;
    }
    yield* processConversation(request, { ...parts, model: opened, signal });
  };
  const states = stateManager(store, { now });
  const sessions = keptSessions({ states, process, leases: store, holder });
  const { workflows, catalogue } = parts;
  return { process, states, sessions, workflows, catalogue };
};
