import type { Logger } from "pino";
import { openForges } from "./app/forges.ts";
import { openQueue } from "./app/queue.ts";
import { openEngine, openModel, openSandbox, openStore } from "./app.ts";
import type { Config } from "./config/config.ts";
import type { ForgeEvent, ForgeKind } from "./forge/events.ts";
import type { Hook } from "./forge/hook.ts";
import type { EmitEvent } from "./thread/events.ts";

/** A process that serves until it is closed. */
export type Service = {
  /** Where it listens: `http://host:port`. */
  url: string;
  /** Takes nothing new, lets running turns finish, hands threads back. */
  close(): Promise<void>;
};

/** Trying the sandbox starts a process. */
const SANDBOX_HELD_MS = 60_000;

type ServeParts = { log: Logger; emit: EmitEvent };

/** Webhooks and worker in one process. Throws `forge-unconfigured` (fix-config) without a forge. */
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
  const checkSandbox = await sandboxCheck(config, log);
  const { forges, opened } = await openForges(config, log);
  const closing: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const store = await openStore(config, { log, redact: config.secrets.redact });
    closing.push(store.close);
    const telemetry = await parts.openTelemetry({ env: process.env, log, store });
    closing.push(telemetry.close);
    const { queue: plain, boards } = await openQueue(config, { store, log });
    closing.push(plain.close);
    const queue = parts.countedQueue(plain, telemetry.metrics);
    const reporter = parts.liveReporter({ store, forges, log });
    const seen: EmitEvent = (event) => {
      reporter.see(event);
      telemetry.see(event);
      emit(event);
    };
    const engine = await openEngine(config, { store, log, emit: seen, forges });
    const isSaid = (event: ForgeEvent) => parts.isSaidInConversation(store, event);
    const receiverOf = (forge: ForgeKind, { verify, read }: Hook) => ({
      verify,
      receive: parts.receiver({ store, queue, forge, read, isSaid, now: Date.now, log }),
    });
    const receivers = Object.fromEntries(
      Object.entries(webhooks === "served" ? opened : {}).map(([forge, { hook }]) => [
        forge,
        receiverOf(forge as ForgeKind, hook),
      ]),
    );
    const sandbox = checkSandbox && { sandbox: parts.heldFor(SANDBOX_HELD_MS, checkSandbox) };
    const readiness = parts.readinessOf({ store: store.check, queue: queue.check, ...sandbox }, { log });
    const model = () => openModel(config, { alias: parts.designerModel(config), log });
    const designer =
      webhooks === "served" ? parts.openDesigner(config, { store, model, log, holder: engine.holder }) : null;
    const deliveries = {
      ...{ engine, config, forges, queue, log },
      findWorkflow: parts.workflowFinder(store),
      readConfig: parts.repositoryConfigs({ forges, log, now: Date.now }),
      refresh: reporter.refresh,
      actors: parts.actors(store, config.limits.perActor, Date.now),
    };
    const runs = {
      forges: Object.keys(opened) as ForgeKind[],
      start: parts.operatorRuns({ ...deliveries, locate: parts.locateByKind(opened) }),
    };
    const server = await parts.createServer({
      log,
      receivers,
      readiness,
      metrics: telemetry.metrics,
      apiToken: config.server.apiToken,
      metricsToken: config.server.metricsToken,
      redact: config.secrets.redact,
      boards,
      ...(designer === null
        ? {}
        : { designer: { ...designer, designs: designer.workflows, userId: parts.userIdOf("api"), runs } }),
    });
    const url = await parts.listen(server, config.server);
    closing.push(() => server.close());
    const { grpcHost, grpcPort } = config.designer;
    if (designer !== null && grpcPort !== null) {
      const { process } = designer;
      const token = config.server.apiToken;
      const { serveGrpc } = await import("./designer/grpc/serve-grpc.ts");
      const grpc = await serveGrpc({ process, host: grpcHost, port: grpcPort, token, log });
      closing.push(grpc.close);
      log.info({ address: grpc.address }, "the designer's gRPC service listens");
    }
    const { concurrency, monthly } = config.limits;
    // Where no thread runs, deliveries too are left to workers: who fetches a repository should be who works on it.
    const worker =
      concurrency === 0
        ? null
        : parts.startWorker({ engine, queue, reporter, deliveries, concurrency, monthly });
    // While turns finish, deliveries are still taken, and whoever asks is told that nothing new begins.
    closing.push(async () => {
      readiness.stop();
      await (worker ?? reporter).close();
    });
    return { url, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
};

/** Where no thread runs, no sandbox is needed. */
const sandboxCheck = async (config: Config, log: Logger): Promise<(() => Promise<void>) | null> => {
  if (config.limits.concurrency === 0) return null;
  const sandbox = await openSandbox(config);
  for (const limitation of await sandbox.check()) log.warn(`sandbox: ${limitation}`);
  return async () => {
    await sandbox.check();
  };
};

const importParts = async () => ({
  ...(await import("./designer/open-designer.ts")),
  ...(await import("./designer/user-id.ts")),
  ...(await import("./forge/forges-by-kind.ts")),
  ...(await import("./intake/actors.ts")),
  ...(await import("./intake/conversations.ts")),
  ...(await import("./intake/handle-delivery.ts")),
  ...(await import("./intake/operator-run.ts")),
  ...(await import("./intake/receive.ts")),
  ...(await import("./intake/repository-configs.ts")),
  ...(await import("./intake/workflow-finder.ts")),
  ...(await import("./server/readiness.ts")),
  ...(await import("./server/server.ts")),
  ...(await import("./telemetry/count-jobs.ts")),
  ...(await import("./telemetry/telemetry.ts")),
  ...(await import("./worker/report.ts")),
  ...(await import("./worker/worker.ts")),
});
