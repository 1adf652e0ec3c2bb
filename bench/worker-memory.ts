import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { postgresStore } from "../src/store/postgres-store.ts";
import { startThread } from "../src/thread/start.ts";
import { IDLE_MS, idleMemory } from "./idle-memory.ts";
import type { Row } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { withRedis } from "./redis.ts";
import { issueOf, stubThread, stubWorkflow } from "./stub-workflow.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { githubApp, type UwfProcess, uwfProcess } from "./uwf-process.ts";

/** Threads that wait for their model: the first ones load what all of them share. */
const FIRST = 10;
const ALL = 60;

/** Memory of `uwf worker` without work, and of each thread that waits for its model in it. */
export const workerMemory = (): Promise<Row[]> =>
  withPostgres((postgres) =>
    withRedis((redis) =>
      inTemporaryDirectory(async (root) => {
        const limits = `limits: { perRepository: ${ALL}, perInstallation: ${ALL} }\n`;
        await writeFile(join(root, "config.yaml"), limits);
        const database = await postgres.database();
        const silent = await silentServer();
        const env = { ...settings(root, silent.port), DATABASE_URL: database, REDIS_URL: redis.url };
        const args = ["worker", "--unsafe-no-sandbox", "--threads", String(ALL)];
        const start = () => uwfProcess(args, { env, ready: "listens" });
        try {
          return [await idleMemory("worker", start), await threadMemory(start, { database, silent })];
        } finally {
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

const threadMemory = async (
  start: () => Promise<UwfProcess>,
  { database, silent }: { database: string; silent: Silent },
): Promise<Row> => {
  const store = await postgresStore({ url: database });
  const workflow = await stubWorkflow();
  const worker = await start();
  const waiting = async (threads: number): Promise<number> => {
    for (let issue = silent.calls(); issue < threads; issue++) {
      const source = issueOf({ organisation: 1, repository: issue, issue });
      await startThread(store, stubThread(workflow, { steps: 1, source }));
    }
    while (silent.calls() < threads) await setTimeout(50);
    await setTimeout(IDLE_MS);
    return worker.megabytes();
  };
  try {
    const [first, all] = [await waiting(FIRST), await waiting(ALL)];
    const each = `${((all - first) / (ALL - FIRST)).toFixed(1)} MB`;
    return {
      measured: "Memory of a thread that waits for its model",
      uwf: each,
      beside: "",
      result: each,
      goal: null,
    };
  } finally {
    await worker.kill();
    await store.close();
  }
};
