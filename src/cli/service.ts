import type { Config } from "../config/config.ts";
import type { Context } from "./context.ts";
import { configHere, unsafeOption } from "./engine-session.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { logEvent } from "./log-event.ts";
import { numberOption } from "./parse-arguments.ts";
import { unshared } from "./unshared.ts";

export const serviceOptions = {
  threads: {
    type: "string",
    value: "n",
    summary:
      "Threads that this process runs at once. Default: limits.concurrency, 2. 0: all work is left to workers.",
  },
  "unsafe-no-sandbox": unsafeOption,
} as const;

type Options = { threads: string | undefined; "unsafe-no-sandbox": boolean };

/** Serves until Ctrl-C or SIGTERM, then drains. A bot without a forge serves the page that sets one up before. */
export const runService = async (
  context: Context,
  { kind, name, options }: { kind: "bot" | "worker"; name: string; options: Options },
): Promise<ExitCode> => {
  const threads =
    options.threads === undefined
      ? undefined
      : numberOption(options.threads, { name, option: "threads", min: 0, max: 64, whole: true });
  const sandbox = options["unsafe-no-sandbox"] ? "none" : "configured";
  const config = await configFor(kind, context, { sandbox });
  if (config === null) return exitCodes.done;
  const [{ otelSecrets }, { serverLog }, { startBot, startWorkerService }] = await Promise.all([
    import("../telemetry/otel-environment.ts"),
    import("./server-log.ts"),
    import("../serve.ts"),
  ]);
  const { secrets } = config;
  for (const secret of otelSecrets(context.env)) secrets.add(secret);
  const log = serverLog({ level: config.logLevel, secrets });
  const signal = context.interruption(() =>
    context.stderr.write("Stopping after the turns under way. Ctrl-C again ends at once.\n"),
  );
  const start = kind === "bot" ? startBot : startWorkerService;
  const limits = { ...config.limits, concurrency: threads ?? config.limits.concurrency };
  const split = unshared({ ...config, limits }, kind);
  if (split !== null) log.warn(split);
  const service = await start({ ...config, limits }, { log, emit: (event) => logEvent(log, event) });
  context.stdout.write(`uwf listens on ${service.url}\n`);
  if (!signal.aborted)
    await new Promise((stopped) => signal.addEventListener("abort", stopped, { once: true }));
  await service.close();
  return exitCodes.done;
};

/** The configuration; null when somebody ended the set-up of a bot that has no forge. */
const configFor = async (
  kind: "bot" | "worker",
  context: Context,
  options: Parameters<typeof configHere>[1],
): Promise<Config | null> => {
  const config = await configHere(context, options);
  if (kind === "worker" || config.github !== null || config.forgejo !== null) return config;
  const { serveSetup } = await import("./serve-setup.ts");
  context.stdout.write("No forge is configured yet. `uwf setup --forge forgejo` sets up Forgejo.\n");
  if (!(await serveSetup(context, config))) return null;
  const { loadConfig } = await import("../config/load-config.ts");
  return { ...config, github: loadConfig({ env: context.env }).github };
};
