import { join } from "node:path";
import { configError } from "./base/errors.ts";
import type { Log } from "./base/log.ts";
import type { Config } from "./config/config.ts";
import { modelNamed } from "./config/models.ts";
import type { Forges } from "./forge/forge.ts";
import type { Model } from "./llm/model.ts";
import type { Payload } from "./store/payload.ts";
import type { Store } from "./store/store.ts";
import type { Engine } from "./thread/engine.ts";
import type { EmitEvent } from "./thread/events.ts";
import type { Sandbox } from "./workspace/sandbox/sandbox.ts";
import type { Workspaces } from "./workspace/workspace.ts";

/** The store that the configuration names. */
export const openStore = async (config: Pick<Config, "storageRoot">): Promise<Store> => {
  const { sqliteStore } = await import("./store/sqlite-store.ts");
  return sqliteStore({ path: join(config.storageRoot, "uwf.db") });
};

/** The sandbox that the configuration names; `none` only when somebody said so. */
export const openSandbox = async (config: Pick<Config, "sandbox">): Promise<Sandbox> => {
  if (config.sandbox.kind === "none") return (await import("./workspace/sandbox/no-sandbox.ts")).noSandbox();
  const { bubblewrapSandbox } = await import("./workspace/sandbox/bubblewrap-sandbox.ts");
  const { PATH } = process.env;
  return bubblewrapSandbox({ ...config.sandbox, ...(PATH === undefined ? {} : { path: PATH }) });
};

/** The model with this alias. Throws `model-unconfigured` (fix-config). */
export const openModel = async (
  config: Config,
  { alias, name, log }: { alias: string; name?: string; log: Log },
): Promise<Model> => {
  const { openaiModel } = await import("./llm/openai-model.ts");
  const { model, provider, apiKey } = modelNamed(config, alias);
  return openaiModel({ model: { ...model, name: name ?? model.name }, provider, apiKey, alias, log });
};

export type EngineParts = { store: Store; log: Log; emit: EmitEvent; forges?: Forges | null };

/** The engine over the configuration's parts. The sandbox is tried before the first command of a role. */
export const openEngine = async (config: Config, parts: EngineParts): Promise<Engine> => {
  const { store, log, emit, forges = null } = parts;
  const [{ publisher }, { processHolder }, { builtinAgent }] = await Promise.all([
    import("./worker/publish.ts"),
    import("./thread/lease.ts"),
    import("./agents/builtin-agent.ts"),
  ]);
  const sandbox = await openSandbox(config);
  const workspaces = await openWorkspaces(config, { store, log, forges, sandbox });
  const checked = once(() => sandbox.check());
  const models = new Map<string, Promise<Model>>();
  const modelOf = ({ model, modelName }: Payload<"agent">): Promise<Model> => {
    const key = `${model} ${modelName}`;
    const open = models.get(key) ?? openModel(config, { alias: model, name: modelName, log });
    models.set(key, open);
    return open;
  };
  return {
    store,
    workspaces,
    publisher: publisher({ store, workspaces, forges, now: Date.now }),
    adapterOf: (agent, session) =>
      builtinAgent({
        model: () => modelOf(agent),
        workspace: () => checked().then(session.workspace),
        tools: session.role.tools,
        maxTurns: session.role.limits.maxTurns,
        checkpoint: session.checkpoint,
        observe: session.emit,
      }),
    summarize: async ({ agent, ...request }) =>
      (await import("./agents/summarize.ts")).summarize(await modelOf(agent), request),
    emit,
    log,
    now: Date.now,
    holder: processHolder(),
  };
};

const openWorkspaces = async (
  config: Config,
  { store, log, forges, sandbox }: { store: Store; log: Log; forges: Forges | null; sandbox: Sandbox },
): Promise<Workspaces> => {
  const { gitWorkspaces } = await import("./workspace/git-workspaces.ts");
  const { repositoryPlace } = await import("./workspace/repository-name.ts");
  return gitWorkspaces({
    root: config.storageRoot,
    store,
    sandbox,
    log,
    env: process.env,
    remoteFor: async (name) => {
      const place = repositoryPlace(name);
      if (place.forge === "local") return { url: place.repository, token: null };
      if (forges === null)
        throw configError(
          "forge-unconfigured",
          `${place.repository} is on ${place.forge}, for which this process is not set up.`,
          "Run the thread where `uwf start` runs.",
        );
      return (await forges.open(place)).remote("read");
    },
  });
};

/** The first call's result for every call; a failure is not kept. */
const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
};
