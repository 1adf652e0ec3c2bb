import { configError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import type { Engine } from "../thread/engine.ts";
import type { EmitEvent } from "../thread/events.ts";
import type { Context } from "./context.ts";
import { lineLog } from "./log.ts";

export const unsafeOption = {
  type: "boolean",
  summary: "Run commands of roles as this user, with no sandbox around them.",
} as const;

export type EngineSession = { engine: Engine; store: Store; config: Config };

/**
 * Reads the configuration, whose secrets no output holds from then on; with `none`, which is `--unsafe-no-sandbox`, it is changed, and a banner says what that means.
 * `unneeded`: no command of a role is run. Throws `sandbox-unsafe` (fix-config) where the configuration alone wants no sandbox.
 */
export const configHere = async (
  context: Pick<Context, "env" | "stderr" | "hide">,
  { sandbox }: { sandbox: "configured" | "none" | "unneeded" },
): Promise<Config> => {
  const { loadConfig } = await import("../config/load-config.ts");
  const config = loadConfig({ env: context.env });
  context.hide(config.secrets);
  if (sandbox === "none") {
    context.stderr.write(banner);
    return { ...config, sandbox: { ...config.sandbox, kind: "none" } };
  }
  if (sandbox === "configured" && config.sandbox.kind === "none")
    throw configError(
      "sandbox-unsafe",
      "config.yaml says that commands run without a sandbox, which has to be said on the command line too",
      "Add --unsafe-no-sandbox, or set `sandbox: { kind: bubblewrap }`.",
    );
  return config;
};

/** Refuses early what would be refused when the thread is made, so that nothing is created before. */
export const requireModel = async (
  config: Config,
  { model, agent }: { model: string | undefined; agent: readonly string[] },
): Promise<void> => {
  // Who plays the roles, and asks which model, is known when they are bound.
  const isOpen =
    agent.length > 0 ||
    Object.keys(config.agentOverrides).length > 0 ||
    config.agents[config.defaultAgent]?.adapter === undefined;
  if (model === undefined && (isOpen || Object.keys(config.models).length > 0)) return;
  const { modelNamed } = await import("../config/models.ts");
  modelNamed(config, model ?? config.defaultModel);
};

const banner = `
  ┌────────────────────────────────────────────────────────────────────────┐
  │ NO SANDBOX: commands that the model chooses run as you, and may read,  │
  │ change and send away everything that you can. Only for repositories    │
  │ and issues that you trust, best on a machine that holds nothing else.  │
  │ Lists of hosts (network) hold them to nothing.                         │
  └────────────────────────────────────────────────────────────────────────┘

`;

/** Opens store and engine for as long as `work` takes. Log lines go to standard error. */
export const withEngine = async <T>(
  context: Pick<Context, "env" | "stderr">,
  { config, emit = () => undefined, log }: { config: Config; emit?: EmitEvent; log?: Log },
  work: (session: EngineSession) => Promise<T>,
): Promise<T> => {
  const { openEngine, openStore } = await import("../app.ts");
  const lines = log ?? lineLog((line) => context.stderr.write(line), context);
  const store = await openStore(config, { log: lines, redact: config.secrets.redact });
  try {
    const engine = await openEngine(config, { store, log: lines, emit });
    return await work({ engine, store, config });
  } finally {
    await store.close();
  }
};
