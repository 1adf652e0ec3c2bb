import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { postgresStore } from "../src/store/postgres-store.ts";
import { startThread } from "../src/thread/start.ts";
import { memoryRow } from "./idle-bot.ts";
import type { Row } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { withRedis } from "./redis.ts";
import { issueOf, stubThread, stubWorkflow } from "./stub-workflow.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { githubApp, type UwfProcess, uwfProcess } from "./uwf-process.ts";

const SETTLE_MS = 10_000;
/** Threads that wait for their model: the first ones load what all of them share. */
const FIRST = 10;
const ALL = 60;

/** Resident memory of `uwf worker` without work, and of each thread that waits for its model in it. */
export const idleWorker = (): Promise<Row[]> =>
  withPostgres((postgres) =>
    withRedis((redis) =>
      inTemporaryDirectory(async (root) => {
        await writeFile(
          join(root, "config.yaml"),
          `limits: { perRepository: ${ALL}, perInstallation: ${ALL} }\n`,
        );
        const database = await postgres.database();
        const silent = await silentServer();
        const worker = await uwfProcess(["worker", "--unsafe-no-sandbox", "--threads", String(ALL)], {
          env: { ...settings(root, silent.port), DATABASE_URL: database, REDIS_URL: redis.url },
          ready: "listens",
        });
        try {
          await setTimeout(SETTLE_MS);
          const idle = await worker.megabytes();
          const perThread = await memoryPerThread(worker, { database, silent });
          return [
            memoryRow(`Memory of an idle worker after ${SETTLE_MS / 1000} s`, idle),
            {
              measured: "Memory of a thread that waits for its model",
              uwf: `${perThread.toFixed(2)} MB`,
              beside: "",
              result: `${perThread.toFixed(2)} MB`,
              goal: null,
            },
          ];
        } finally {
          await worker.kill();
          silent.server.closeAllConnections();
          silent.server.close();
        }
      }),
    ),
  );

/** The model, and the forge, are a server that never answers. */
const settings = (root: string, port: number): Record<string, string> => ({
  ...githubApp(),
  UWF_STORAGE_ROOT: root,
  PORT: "0",
  GHE_HOST: `127.0.0.1:${port}`,
  GHE_PROTOCOL: "http",
  OPENAI_API_KEY: "none",
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  OPENAI_MODEL: "none",
});

type Silent = { server: Server; port: number; calls(): number };

const silentServer = async (): Promise<Silent> => {
  let calls = 0;
  const server = createServer((request) => {
    if (request.url?.startsWith("/v1/") === true) calls++;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return { server, port: address.port, calls: () => calls };
};

const memoryPerThread = async (
  worker: UwfProcess,
  { database, silent }: { database: string; silent: Silent },
): Promise<number> => {
  const store = await postgresStore({ url: database });
  const workflow = await stubWorkflow();
  const waiting = async (threads: number): Promise<number> => {
    for (let issue = silent.calls(); issue < threads; issue++) {
      const source = issueOf({ organisation: 1, repository: issue, issue });
      await startThread(store, stubThread(workflow, { steps: 1, source }));
    }
    while (silent.calls() < threads) await setTimeout(50);
    await setTimeout(SETTLE_MS);
    return worker.megabytes();
  };
  const [first, all] = [await waiting(FIRST), await waiting(ALL)];
  await store.close();
  return (all - first) / (ALL - FIRST);
};
