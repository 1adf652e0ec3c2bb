import { join } from "node:path";
import { modelNamed } from "./config/models.ts";
import type { Config } from "./config/config.ts";
import type { Log } from "./base/log.ts";
import type { Forges } from "./forge/forge.ts";
import type { Model } from "./llm/model.ts";
import type { Payload } from "./store/payload.ts";
import type { Store } from "./store/store.ts";
import type { Engine } from "./thread/engine.ts";
import type { EmitEvent } from "./thread/events.ts";
import type { Sandbox } from "./workspace/sandbox/sandbox.ts";
import type { Remote, Workspaces } from "./workspace/workspace.ts";
import type { Role, Workflow } from "./workflow/workflow.ts";

/** The store that the configuration names. */
export const openStore = async (config: Pick<Config, "storageRoot">): Promise<Store> => {
  const { sqliteStore } = await import("./store/sqlite-store.ts");
  return sqliteStore({ path: join(config.storageRoot, "uwf.db") });
};

/** The sandbox that the configuration names; `none` only when somebody said so on the command line. */
export const openSandbox = async (config: Config): Promise<Sandbox> => {
  if (config.sandbox.kind === "none") return (await import("./workspace/sandbox/no-sandbox.ts")).noSandbox();
  return (await import("./workspace/sandbox/bubblewrap-sandbox.ts")).bubblewrapSandbox(config.sandbox);
};

export const openModel = async (config: Config, { alias, log }: { alias: string; log: Log }): Promise<Model> => {
  const { openaiModel } = await import("./llm/openai-model.ts");
  return openaiModel({ ...modelNamed(config, alias), alias, log });
};

export type Parts = { store: Store; log: Log; emit: EmitEvent };
/** An engine over the configuration's parts, for as long as `close` has not been called. */
export type OpenEngine = { engine: Engine; close(): Promise<void> };
