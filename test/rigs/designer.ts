import { randomUUID } from "node:crypto";
import { silentLog } from "../../src/base/log.ts";
import { ConfigFile } from "../../src/config/config.ts";
import type { DesignerParts, ProcessConversation } from "../../src/designer/designer.ts";
import { indexedLibrary } from "../../src/designer/indexed-library.ts";
import { installedCatalogue } from "../../src/designer/installed.ts";
import type { ConversationConfig, ConversationResponse } from "../../src/designer/messages.ts";
import { processConversation } from "../../src/designer/process-conversation.ts";
import { keptSessions, type Sessions } from "../../src/designer/sessions.ts";
import { type StateManager, stateManager } from "../../src/designer/state-manager.ts";
import { storedDesigns } from "../../src/designer/stored-designs.ts";
import type { Store } from "../../src/store/store.ts";
import { temporaryStore } from "../fixtures/temporary-store.ts";
import { modelAt } from "./asking.ts";
import type { ModelScript } from "./model-script.ts";
import { type ModelServer, modelServer } from "./model-server.ts";

export type DesignerRig = {
  store: Store;
  server: ModelServer;
  parts: DesignerParts;
  process: ProcessConversation;
  states: StateManager;
  sessions: Sessions;
  userId: string;
  /** A new session; its id. */
  open(action?: "create" | "edit" | "copy", workflowId?: string): Promise<string>;
  /** Says something, and waits for the last response. */
  say(
    sessionId: string,
    text: string,
    options?: { config?: Partial<ConversationConfig>; signal?: AbortSignal },
  ): Promise<ConversationResponse[]>;
  dispose(): Promise<void>;
};

/** The designer over a store of its own and a scripted model behind HTTP. */
export const designerRig = async (
  script: ModelScript,
  more: Partial<DesignerParts> & { store?: Store } = {},
): Promise<DesignerRig> => {
  const { store: given, ...parts } = more;
  const temporary = given === undefined ? temporaryStore() : null;
  const store = given ?? (temporary as NonNullable<typeof temporary>).store;
  const server = await modelServer({ script });
  const config = ConfigFile.parse({ models: { default: { provider: "acme", name: "m-1" } } });
  const all: DesignerParts = {
    model: modelAt(server.url, { provider: { apiKeyEnv: null } }),
    catalogue: installedCatalogue(config, store),
    workflows: storedDesigns(store),
    library: indexedLibrary(store),
    limits: { tokens: null, usd: null, timeoutSeconds: 60 },
    now: Date.now,
    log: silentLog,
    ...parts,
  };
  const process: ProcessConversation = (request, { signal }) =>
    processConversation(request, { ...all, signal });
  const states = stateManager(store);
  const sessions = keptSessions({ states, process, leases: store, holder: `test@${randomUUID()}` });
  const userId = randomUUID();
  return {
    ...{ store, server, parts: all, process, states, sessions, userId },
    open: async (action = "create", workflowId) =>
      (await states.createSession({ userId, action, workflowId: workflowId ?? null })).id,
    say: async (sessionId, text, { config: own, signal = new AbortController().signal } = {}) => {
      const said = { sessionId, userId, text, signal, ...(own === undefined ? {} : { config: own }) };
      return Array.fromAsync(sessions.say(said));
    },
    dispose: async () => {
      await server.close();
      await temporary?.dispose();
    },
  };
};

/** The stages that responses went through, without those that only say where it stands. */
export const stagesOf = (responses: readonly ConversationResponse[]): string[] =>
  responses.flatMap((response) =>
    response.type === "status" && response.status.new_stage !== response.status.previous_stage
      ? [response.status.new_stage]
      : [],
  );

export const messagesOf = (responses: readonly ConversationResponse[]) =>
  responses.flatMap((response) => (response.type === "message" ? [response.message] : []));

export const errorsOf = (responses: readonly ConversationResponse[]) =>
  responses.flatMap((response) => (response.type === "error" ? [response.error] : []));
