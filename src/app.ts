import { join } from "node:path";
import { openWorkspaces } from "./app/workspaces.ts";
import { configError } from "./base/errors.ts";
import type { Log } from "./base/log.ts";
import { once } from "./base/once.ts";
import type { Redact } from "./base/redact.ts";
import type { Config } from "./config/config.ts";
import { modelNamed } from "./config/models.ts";
import type { StorePlace } from "./config/store-place.ts";
import type { Forges } from "./forge/forge.ts";
import type { Model } from "./llm/model.ts";
import type { Store } from "./store/store.ts";
import type { Engine } from "./thread/engine.ts";
import type { EmitEvent } from "./thread/events.ts";
import type { ReplayParts } from "./thread/replay/playback.ts";
import type { Sandbox } from "./workspace/sandbox/sandbox.ts";

export type OpenStoreOptions = {
  log?: Log;
  /** Milliseconds for which a database that cannot be reached is waited for. Default: 30,000. */
  patienceMs?: number;
  /** Masks what no record and no delivery may hold; absent: nothing is masked. */
  redact?: Redact;
};

/** The store that the configuration names. */
export const openStore = async (
  { storageRoot, databaseUrl }: StorePlace,
  options: OpenStoreOptions = {},
): Promise<Store> => {
  const { redact, ...others } = options;
  const store =
    databaseUrl === null ? await openSqlite(storageRoot) : await openPostgres(databaseUrl, others);
  return redact === undefined
    ? store
    : (await import("./store/redacted-store.ts")).redactedStore(store, redact);
};

const openSqlite = async (storageRoot: string): Promise<Store> => {
  const { sqliteStore } = await import("./store/sqlite-store.ts");
  return sqliteStore({ path: join(storageRoot, "uwf.db") });
};

/** The store in the PostgreSQL database at this address. */
export const openPostgres = async (url: string, options: OpenStoreOptions = {}): Promise<Store> => {
  const { postgresStore } = await import("./store/postgres-store.ts");
  return postgresStore({ url, ...options });
};

/** The sandbox that the configuration names; `none` only when somebody said so. Throws `sandbox-image` (fix-config). */
export const openSandbox = async (config: Pick<Config, "sandbox" | "storageRoot">): Promise<Sandbox> => {
  if (config.sandbox.kind === "none")
    return (await import("./workspace/sandbox/no-sandbox.ts")).noSandbox(searchPath());
  if (config.sandbox.kind === "container") {
    const { containerSandbox } = await import("./workspace/sandbox/container-sandbox.ts");
    return containerSandbox({ ...config.sandbox, ...withImage(config.sandbox.container) });
  }
  const { bubblewrapSandbox } = await import("./workspace/sandbox/bubblewrap-sandbox.ts");
  return bubblewrapSandbox({ ...config.sandbox, ...searchPath(), hidden: [config.storageRoot] });
};

const withImage = ({ image, ...engine }: Config["sandbox"]["container"]) => {
  if (image === null)
    throw configError(
      "sandbox-image",
      "sandbox.container.image names no image for commands to run in",
      "Name one that has a shell and what your repositories need: `sandbox: { container: { image: node:24-bookworm } }`.",
    );
  return { ...engine, image };
};

const searchPath = (): { path?: string } => {
  const { PATH } = process.env;
  return PATH === undefined ? {} : { path: PATH };
};

/** The model with this alias. Throws `model-unconfigured` (fix-config). */
export const openModel = async (
  config: Config,
  { alias, name, log }: { alias: string; name?: string; log: Log },
): Promise<Model> => {
  const [{ openaiModel }, { redactedModel }] = await Promise.all([
    import("./llm/openai-model.ts"),
    import("./llm/redacted-model.ts"),
  ]);
  const { model, provider, apiKey } = modelNamed(config, alias);
  const { secrets } = config;
  const named = { ...model, name: name ?? model.name };
  const { redact } = secrets;
  return redactedModel(openaiModel({ model: named, provider, apiKey, alias, log, redact }), secrets);
};

export type EngineParts = { store: Store; log: Log; emit: EmitEvent; forges?: Forges | null };

/** The engine over the configuration's parts. The sandbox is tried before the first command of a role. */
export const openEngine = async (config: Config, parts: EngineParts): Promise<Engine> => {
  const { store, log, emit, forges = null } = parts;
  const { secrets } = config;
  const [{ publisher }, { processHolder }, { agentAdapters }, { programParts }, { noSandbox }, masking] =
    await Promise.all([
      import("./worker/publish.ts"),
      import("./base/process-holder.ts"),
      import("./thread/agent-adapters.ts"),
      import("./agents/command/program-parts.ts"),
      import("./workspace/sandbox/no-sandbox.ts"),
      import("./thread/redacted-events.ts"),
    ]);
  const sandbox = await openSandbox(config);
  const workspaces = await openWorkspaces(config, { store, log, forges, sandbox });
  const checked = once(() => sandbox.check());
  const models = new Map<string, Promise<Model>>();
  const modelOf = ({ model, modelName }: { model: string; modelName: string }): Promise<Model> => {
    const key = `${model} ${modelName}`;
    const open = models.get(key) ?? openModel(config, { alias: model, name: modelName, log });
    models.set(key, open);
    return open;
  };
  const talking = once(async () =>
    (await import("./designer/agent/open-designer-agent.ts")).openDesignerAgent(config, { store, log }),
  );
  return {
    store,
    workspaces,
    publisher: publisher({ store, workspaces, forges, now: Date.now }),
    // Where other machines can take a thread over, they go on from the files of the last call, not of the last step.
    captures: config.databaseUrl === null ? "each-step" : "each-turn",
    adapterOf: agentAdapters({
      modelOf,
      sandboxed: (session) => checked().then(session.workspace),
      variable: (name) => config.variables[name],
      designer: (agent, session) => (prompt, schema) => async (context) => {
        const play = (await talking())(() => modelOf(agent), session);
        return play(prompt, schema)(context);
      },
      programs: programParts(config, { outside: noSandbox(searchPath()), sandbox }),
      store,
      redact: secrets.redact,
    }),
    summarize: async ({ agent, ...request }) =>
      // What a conversation has come to stands in its comments.
      "modelName" in agent && agent.adapter !== "designer"
        ? (await import("./agents/summarize.ts")).summarize(await modelOf(agent), request)
        : "",
    emit: masking.redactedEvents(emit, secrets),
    log,
    now: Date.now,
    holder: processHolder(),
    maxDepth: config.limits.maxDepth,
  };
};

/** What replays of threads need. Their workspaces lie beside those of threads, and write nothing to the store. */
export const openReplay = async (
  config: Config,
  { store, log, forges = null }: Pick<EngineParts, "store" | "log" | "forges">,
): Promise<ReplayParts> => {
  const { scratchStore } = await import("./thread/replay/scratch-store.ts");
  const sandbox = await openSandbox(config);
  await sandbox.check();
  const scratch = scratchStore(store);
  const workspaces = await openWorkspaces(config, { store: scratch, log, forges, sandbox });
  return { recorded: store, scratch, workspaces, redact: config.secrets.redact };
};
