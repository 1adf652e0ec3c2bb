import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../../../src/app.ts";
import type { Store } from "../../../src/store/store.ts";
import { type UwfChild, uwfChild } from "../../fixtures/uwf-child.ts";
import { forgeRig } from "../forge-rig/open.ts";
import type { ForgeRig } from "../forge-rig.ts";
import type { RigRequest } from "../github/http.ts";
import { type ModelServer, modelServer } from "../model-server.ts";
import { postgresServer } from "../postgres-server.ts";
import { redisServer } from "../redis-server.ts";
import { sumsScript } from "../sums-script.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

/** What one person may ask for, and what one month may cost, in a world of floods. */
export const LIMITS = { underWay: 3, startedPerDay: 6, heardPerHour: 20, monthUsd: 3 };
/** Threads at once, over all processes. */
export const PLACES = 2;

/** The organisation that floods, and one that does not. */
export const FLOODING = ["acme/sums", "acme/two", "acme/three"] as const;
export const QUIET = "beta/sums";

export type FloodWorld = {
  forge: ForgeRig;
  model: ModelServer;
  /** The program's store, seen directly. */
  store: Store;
  /** Where it takes webhooks. */
  hookUrl: string;
  processes: number;
  /** The bot's requests to the forge so far, oldest first. */
  calls: readonly RigRequest[];
  /** Until it is called no role has its first reply; a second time: from then on each one waits again. */
  hold(): () => void;
  /** Of all processes: bytes. */
  memory(): number;
  close(): Promise<void>;
};

const sums = fileURLToPath(new URL("../../fixtures/repositories/sums", import.meta.url));
const writers = ["mona", "lena", ...Array.from({ length: 12 }, (_, at) => `writer-${at}`)];

const configFor = (modelUrl: string): string => `
providers: { scripted: { baseUrl: "${modelUrl}", apiKeyEnv: OPENAI_API_KEY } }
models:
  default: { provider: scripted, name: scripted, contextTokens: 200000, price: { input: 1, cachedInput: 1, output: 1 } }
limits:
  budgetUsd: 1
  perActor: { underWay: ${LIMITS.underWay}, startedPerDay: ${LIMITS.startedPerDay}, heardPerHour: ${LIMITS.heardPerHour} }
  monthly: { actorUsd: ${LIMITS.monthUsd} }
sandbox: { kind: none }
`;

type Servers = { env: Record<string, string>; close(): Promise<void> };

const noServers: Servers = { env: {}, close: async () => undefined };

const postgresAndRedis = async (): Promise<Servers> => {
  const [postgres, redis] = await Promise.all([postgresServer(), redisServer()]);
  return {
    env: { DATABASE_URL: await postgres.database(), REDIS_URL: redis.url },
    close: async () => void (await Promise.all([postgres.dispose(), redis.dispose()])),
  };
};

/** The program on a forge with real git: as one process with all that it needs, or as two that share PostgreSQL and Redis. */
export const floodWorld = async (kind: "embedded" | "servers"): Promise<FloodWorld> => {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    return { ...(await open(kind, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const open = async (
  kind: "embedded" | "servers",
  opened: (() => Promise<unknown>)[],
): Promise<Omit<FloodWorld, "close">> => {
  const root = await temporaryDirectory("uwf-floods-");
  opened.push(root.remove);
  let held: Promise<void> = Promise.resolve();
  const forge = await forgeRig("github", {
    repositories: [...FLOODING, QUIET],
    from: sums,
    users: [
      ...writers.map((login) => ({ login, permission: "write" as const })),
      { login: "stranger", permission: "none" },
    ],
  });
  opened.push(forge.close);
  const model = await modelServer({ script: sumsScript({ before: { role: "preparer", wait: () => held } }) });
  opened.push(model.close);
  const servers = kind === "embedded" ? noServers : await postgresAndRedis();
  opened.push(servers.close);
  const children: UwfChild[] = [];
  const start = async (name: string, args: readonly string[]): Promise<string> => {
    const storage = join(root.path, name);
    mkdirSync(storage, { mode: 0o700 });
    writeFileSync(join(storage, "config.yaml"), configFor(model.url), { mode: 0o600 });
    const child = uwfChild([...args, "--unsafe-no-sandbox"], {
      ...{ ...forge.env, ...servers.env },
      PATH: process.env.PATH ?? "",
      HOME: storage,
      OPENAI_API_KEY: "sk-of-a-scripted-model",
      UWF_STORAGE_ROOT: storage,
      HOST: "127.0.0.1",
      PORT: "0",
    });
    children.push(child);
    opened.push(() => {
      child.process.kill("SIGKILL");
      return child.ended;
    });
    return addressOf(child);
  };
  const threads = kind === "embedded" ? [PLACES] : [1, PLACES - 1];
  const [url = ""] = await Promise.all(
    threads.map((count, at) =>
      start(at === 0 ? "bot" : "worker", [at === 0 ? "start" : "worker", "--threads", String(count)]),
    ),
  );
  const hookUrl = `${url}${forge.hookPath}`;
  forge.sendWebhooksTo(hookUrl);
  const databaseUrl = servers.env.DATABASE_URL ?? null;
  const store = await openStore({ storageRoot: join(root.path, "bot"), databaseUrl });
  opened.push(store.close);
  return {
    ...{ forge, model, store, hookUrl, calls: botCalls(forge) },
    processes: children.length,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    memory: () => children.reduce((sum, { process: { pid = 0 } }) => sum + residentBytes(pid), 0),
  };
};

/** The bot's requests from now on. */
const botCalls = (forge: ForgeRig): readonly RigRequest[] => {
  const calls: RigRequest[] = [];
  forge.fault({
    path: /^/,
    answer: "cut",
    when: (request) => {
      if (forge.isBots(request)) calls.push(request);
      return false;
    },
  });
  return calls;
};

const addressOf = async (child: UwfChild): Promise<string> => {
  let over = false;
  void child.ended.then(() => {
    over = true;
  });
  for (;;) {
    const [, url] = /listens on (http:\S+?)["\s]/.exec(child.output()) ?? [];
    if (url !== undefined) return url;
    if (over) throw new Error(`it ended before it listened: ${child.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const residentBytes = (pid: number): number =>
  Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout) * 1024;
