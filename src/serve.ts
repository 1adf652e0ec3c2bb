import type { Logger } from "pino";
import { openEngine, openForges, openQueue, openSandbox, openStore } from "./app.ts";
import type { Config } from "./config/config.ts";
import type { EmitEvent } from "./thread/events.ts";

/** A process that serves until it is closed. */
export type Service = {
  /** Where it listens: `http://host:port`. */
  url: string;
  /** Takes nothing new, lets running turns finish, hands threads back. */
  close(): Promise<void>;
};

type ServeParts = { log: Logger; emit: EmitEvent };

/** Webhooks and worker in one process. Throws `github-unconfigured` (fix-config) without a GitHub App. */
export const startBot = (config: Config, parts: ServeParts): Promise<Service> =>
  serve(config, { ...parts, webhooks: "served" });

/** A worker alone: it takes deliveries and threads from the queue, and serves health and metrics. */
export const startWorkerService = (config: Config, parts: ServeParts): Promise<Service> =>
  serve(config, { ...parts, webhooks: "elsewhere" });

const serve = async (
  config: Config,
  { log, emit, webhooks }: ServeParts & { webhooks: "served" | "elsewhere" },
): Promise<Service> => {
  const parts = await importParts();
  await (await openSandbox(config)).check();
  const { app, forges, parse } = await openForges(config, log);
  const store = await openStore(config);
  const reporter = parts.liveReporter({ store, forges, log, now: Date.now });
  const seen: EmitEvent = (event) => {
    reporter.see(event);
    emit(event);
  };
  const engine = await openEngine(config, { store, log, emit: seen, forges });
  const queue = await openQueue(config, { store, log });
  const receive = parts.receiver({ store, queue, forge: "github", now: Date.now, log });
  const server = await parts.createServer({
    log,
    github: webhooks === "served" ? { verify: app.verify, receive } : null,
  });
  const url = await parts.listen(server, config.server).catch(async (error: unknown) => {
    await queue.close();
    await store.close();
    throw error;
  });
  const worker = parts.startWorker({
    engine,
    queue,
    reporter,
    deliveries: {
      config,
      store,
      workspaces: engine.workspaces,
      now: Date.now,
      forges,
      log,
      holder: engine.holder,
      queue,
      rules: parts.defaultRules,
      parse,
      findWorkflow: parts.workflowFinder(store),
    },
    concurrency: config.limits.concurrency,
  });
  return {
    url,
    close: async () => {
      await server.close();
      await worker.close();
      await queue.close();
      await store.close();
    },
  };
};

const importParts = async () => ({
  ...(await import("./intake/receive.ts")),
  ...(await import("./intake/triggers.ts")),
  ...(await import("./intake/workflow-finder.ts")),
  ...(await import("./server/server.ts")),
  ...(await import("./worker/report.ts")),
  ...(await import("./worker/worker.ts")),
});
