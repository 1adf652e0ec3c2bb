import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "../../src/app.ts";
import { silentLog } from "../../src/base/log.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { postgresStore } from "../../src/store/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { expectNoDriftIn } from "../fixtures/replay-rig.ts";
import { type Machine, type MachineOptions, type ServiceName, startMachine } from "./cluster/machine.ts";
import { issueTitle, markedWork } from "./cluster/work.ts";
import { type GithubRig, githubRig } from "./github.ts";
import { type ModelServer, modelServer } from "./model-server.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "./postgres-server.ts";
import { type RedisServer, redisIsHere, redisServer } from "./redis-server.ts";

/** One issue that was labelled. */
export type Job = { job: number; title: string; repository: string; issue: number };

export type StartOptions = {
  name: string;
  /** At once; default: 1 for a worker, none for the bot. */
  threads?: number;
  /** Default: a directory of its own, or that of `after`. */
  storage?: string;
} & Partial<Pick<MachineOptions, "env" | "sandbox" | "host" | "after">>;

export type Cluster = {
  github: GithubRig;
  model: ModelServer;
  postgres: PostgresServer;
  redis: RedisServer;
  /** The program's store, seen directly. */
  store: Store;
  /** Where commands leave their marks. */
  marks: string;
  directory: string;
  /** Every machine that was started, also those that have ended. */
  machines: readonly Machine[];
  /** A bot gets the webhooks from now on. */
  bot(options: StartOptions): Promise<Machine>;
  worker(options: StartOptions): Promise<Machine>;
  /** Opens so many issues, each with one trigger. */
  ask(count: number): Promise<Job[]>;
  /** How long each marked command lasts from now on. */
  lastCommands(seconds: number): void;
  /** The model answers 502 so many times. */
  failModel(times: number): void;
  /** Ends every machine, and replays what they have recorded: throws when anything is no longer as it was. */
  dispose(): Promise<void>;
};

export const clusterIsHere = (): boolean => postgresIsHere() && redisIsHere();

/** Of a suite's threads, which are much alike, so many are replayed at the end; `REPLAYS=all`: every one. */
const REPLAYED = 3;
const REPOSITORIES = 6;
const CONFIG =
  "limits: { perRepository: 64, perInstallation: 64, perActor: { underWay: 1000, startedPerDay: 10000, heardPerHour: 10000 } }\n";

/** A forge, a model, PostgreSQL and Redis, and as many machines of the program as a test starts. */
export const newCluster = async (): Promise<Cluster> => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-cluster-"));
  const marks = join(directory, "marks");
  const from = join(directory, "repository");
  for (const path of [marks, from]) mkdirSync(path);
  writeFileSync(join(from, "sum.js"), "exports.sum = (a, b) => a - b;\n");
  const repositories = Array.from({ length: REPOSITORIES }, (_, index) => `acme/sums-${index + 1}`);
  let seconds = 0;
  let failures = 0;
  const script = markedWork(marks, { seconds: () => seconds });
  const [github, model, postgres, redis] = await Promise.all([
    githubRig({
      repositories: repositories.map((fullName) => ({ fullName, from })),
      users: [{ login: "mona", permission: "write" }],
    }),
    modelServer({
      script: (request) => (failures-- > 0 ? { fault: "status", status: 502 } : script(request)),
    }),
    postgresServer(),
    redisServer(),
  ]);
  const database = await postgres.database();
  const store = await postgresStore({ url: database, log: silentLog });
  const servers: Readonly<Record<ServiceName, string>> = {
    postgres: database,
    redis: redis.url,
    github: github.webUrl,
    model: model.url,
  };
  const machines: Machine[] = [];
  const start = async (
    kind: MachineOptions["kind"],
    { name, threads, env = {}, ...options }: StartOptions,
  ): Promise<Machine> => {
    const machine = await startMachine({
      ...{ ...options, name, kind, servers, config: CONFIG },
      storage: options.storage ?? options.after?.storage ?? join(directory, name),
      threads: threads ?? (kind === "worker" ? 1 : 0),
      env: { ...github.env, ...env },
    });
    machines.push(machine);
    return machine;
  };
  const asking = asks(github, repositories);
  return {
    ...{ github, model, postgres, redis, store, marks, directory, machines },
    bot: async (options) => {
      const machine = await start("start", options);
      github.sendWebhooksTo(`${machine.url}/api/github/webhooks`);
      return machine;
    },
    worker: (options) => start("worker", options),
    ask: async (count) => {
      const jobs: Job[] = [];
      for (let asked = 0; asked < count; asked++) jobs.push(await asking());
      return jobs;
    },
    lastCommands: (each) => {
      seconds = each;
    },
    failModel: (times) => {
      failures = times;
    },
    dispose: async () => {
      await Promise.all(machines.map((machine) => machine.dispose()));
      try {
        const sandbox = await sandboxOf(directory, machines);
        await expectNoDriftIn(
          { root: join(directory, "replay"), store, sandbox },
          { ...github, most: REPLAYED },
        );
      } finally {
        await store.close();
        await Promise.all([model.close(), github.close(), redis.dispose(), postgres.dispose()]);
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
};

/** What commands have answered in a sandbox they answer in one alone. */
const sandboxOf = async (storageRoot: string, machines: readonly Machine[]): Promise<Sandbox> => {
  const [kind = "none", other] = new Set(machines.map(({ sandbox }) => sandbox));
  if (other !== undefined) throw new Error("some machines have a sandbox and some have none");
  const env = {
    UWF_STORAGE_ROOT: storageRoot,
    OPENAI_API_KEY: "sk-of-a-scripted-model",
    OPENAI_MODEL: "scripted",
  };
  const config = loadConfig({ env });
  return openSandbox({ ...config, sandbox: { ...config.sandbox, kind } });
};

/** Issues one after the other, in one repository after the other. */
const asks = (github: GithubRig, repositories: readonly string[]): (() => Promise<Job>) => {
  let asked = 0;
  return async () => {
    const job = ++asked;
    const repository = repositories[job % repositories.length] ?? "";
    const title = issueTitle(job);
    const { number } = await github.openIssue(repository, { title, body: "It subtracts.", author: "mona" });
    await github.label(repository, number, "uwf", "mona");
    return { job, title, repository, issue: number };
  };
};
