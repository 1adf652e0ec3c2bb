import { join } from "node:path";
import type { Queue as BullQueue } from "bullmq";
import type { Logger } from "pino";
import { configError } from "./base/errors.ts";
import { type Log, silentLog } from "./base/log.ts";
import type { Redact } from "./base/redact.ts";
import { once } from "./base/once.ts";
import type { Config, ForgejoConfig } from "./config/config.ts";
import type { GithubServer } from "./config/github-server.ts";
import { modelNamed } from "./config/models.ts";
import type { StorePlace } from "./config/store-place.ts";
import type { Forges } from "./forge/forge.ts";
import { forgesByKind, noForge } from "./forge/forges-by-kind.ts";
import type { OpenedForges } from "./forge/hook.ts";
import type { Model } from "./llm/model.ts";
import type { Queue } from "./queue/queue.ts";
import type { SetupOptions } from "./server/setup/setup-pages.ts";
import type { Store } from "./store/store.ts";
import type { Engine } from "./thread/engine.ts";
import type { EmitEvent } from "./thread/events.ts";
import type { ReplayParts } from "./thread/replay/playback.ts";
import type { ScratchStore } from "./thread/replay/scratch-store.ts";
import type { Sandbox } from "./workspace/sandbox/sandbox.ts";
import type { Workspaces } from "./workspace/workspace.ts";

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

/** The sandbox that the configuration names; `none` only when somebody said so. */
export const openSandbox = async (config: Pick<Config, "sandbox" | "storageRoot">): Promise<Sandbox> => {
  if (config.sandbox.kind === "none")
    return (await import("./workspace/sandbox/no-sandbox.ts")).noSandbox(searchPath());
  const { bubblewrapSandbox } = await import("./workspace/sandbox/bubblewrap-sandbox.ts");
  return bubblewrapSandbox({ ...config.sandbox, ...searchPath(), hidden: [config.storageRoot] });
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
      programs: programParts(config, { outside: noSandbox(searchPath()), sandbox }),
      store,
      redact: secrets.redact,
    }),
    summarize: async ({ agent, ...request }) =>
      "modelName" in agent
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

/** The forges of the configuration. Throws `forge-unconfigured` (fix-config) when there is none. */
export const openForges = async (
  { github, forgejo, secrets }: Pick<Config, "github" | "forgejo" | "secrets">,
  log: Logger,
): Promise<{ forges: Forges; opened: OpenedForges }> => {
  if (github === null && forgejo === null) throw noForge();
  const opened: { -readonly [Kind in keyof OpenedForges]: OpenedForges[Kind] } = {};
  if (github !== null)
    opened.github = (await import("./forge/github/open-github.ts")).openGithub({ ...github, log, secrets });
  if (forgejo !== null)
    opened.forgejo = (await import("./forge/forgejo/open-forgejo.ts")).openForgejo({ ...forgejo, log });
  const { redactedForges } = await import("./forge/redacted-forges.ts");
  return { forges: redactedForges(forgesByKind(opened), secrets.redact), opened };
};

/** Who the bot is on Forgejo. Throws as `Forge`. */
export const forgejoLogin = async ({ url, token }: ForgejoConfig): Promise<string> => {
  const { forgejoForges } = await import("./forge/forgejo/forgejo-forges.ts");
  return (await forgejoForges({ url, token, log: silentLog }).self()).login;
};

/** How an App is registered on this GitHub, for the page that sets the server up. */
export const openGithubSetup = async ({
  apiUrl,
  webUrl,
}: GithubServer): Promise<Pick<SetupOptions, "convert" | "manifestFor" | "webUrl">> => {
  const [{ appManifest, newAppUrl }, { convertManifest }] = await Promise.all([
    import("./forge/github/app-manifest.ts"),
    import("./forge/github/convert-manifest.ts"),
  ]);
  return {
    webUrl,
    convert: (code) => convertManifest(apiUrl, code),
    manifestFor: async (app) => ({ manifest: await appManifest(app), action: newAppUrl(webUrl, app) }),
  };
};

/** Asks Redis for an answer. Throws `redis-url` (fix-config) and `queue-unreachable` (retry). */
export const checkRedis = async (url: string): Promise<void> => {
  const { redisClients } = await import("./queue/bullmq/redis-clients.ts");
  const clients = redisClients(url, silentLog);
  try {
    await clients.check();
  } finally {
    clients.disconnect();
  }
};

/** The queue that the configuration names, and what a dashboard may show of it. Throws `redis-url` (fix-config). */
export const openQueue = async (
  { redisUrl, limits }: Pick<Config, "redisUrl" | "limits">,
  { store, log }: { store: Store; log: Log },
): Promise<{ queue: Queue; boards: readonly BullQueue[] }> => {
  if (redisUrl === null) {
    const { localQueue } = await import("./queue/local-queue.ts");
    return { queue: localQueue({ store, limits, log }), boards: [] };
  }
  const { bullmqQueue } = await import("./queue/bullmq-queue.ts");
  const queue = bullmqQueue({ store, limits, log, url: redisUrl });
  return { queue, boards: queue.boards };
};

const openWorkspaces = async (
  config: Config,
  { store, log, forges, sandbox }: { store: ScratchStore; log: Log; forges: Forges | null; sandbox: Sandbox },
): Promise<Workspaces> => {
  const { gitWorkspaces } = await import("./workspace/git-workspaces.ts");
  const { proxyNetworks } = await import("./workspace/network/proxy-networks.ts");
  const { repositoryPlace } = await import("./workspace/repository-name.ts");
  const { redactedWorkspaces } = await import("./workspace/redacted-workspaces.ts");
  const workspaces = gitWorkspaces({
    root: config.storageRoot,
    networks: proxyNetworks(config.sandbox, { log }),
    store,
    sandbox,
    log,
    env: process.env,
    remoteFor: async (name) => {
      const { forge, ...place } = repositoryPlace(name);
      if (forge === "local") return { url: place.repository, token: null };
      if (forges === null)
        throw configError(
          "forge-unconfigured",
          `${place.repository} is on ${forge}, for which this process is not set up.`,
          "Run the thread where `uwf start` runs.",
        );
      return (await forges.open({ forge, ...place })).remote("read");
    },
  });
  return redactedWorkspaces(workspaces, config.secrets.redact);
};
