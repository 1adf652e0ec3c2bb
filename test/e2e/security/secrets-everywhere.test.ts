import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/app.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type UwfChild, uwfChild } from "../../fixtures/uwf-child.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { demoIssue, demoRepository, demoScript } from "../../rigs/demo-script.ts";
import { type ForgejoRig, forgejoRig } from "../../rigs/forgejo.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";
import { type ModelServer, modelServer } from "../../rigs/model-server.ts";
import { type Loot, spreadLoot } from "../../rigs/obedience/loot.ts";
import { type OtlpReceiver, otlpReceiver } from "../../rigs/otlp-receiver.ts";
import { type PostgresServer, postgresIsHere, postgresServer } from "../../rigs/postgres-server.ts";
import { type RedisServer, redisIsHere, redisServer } from "../../rigs/redis-server.ts";
import { configWith, dotEnvCanaries, linesOfKey, variableCanaries } from "../../rigs/secrets/canaries.ts";
import { formCount, found, processesNow } from "../../rigs/secrets/looking.ts";
import { pryingScript } from "../../rigs/secrets/prying-script.ts";

const REPOSITORY = "acme/durations";
const KEY = "sk-proj-AKeyThatNobodyMaySee0123456789";
const REDIS_PASSWORD = "canary-redis-0f1e2d3c4b5a6978";
const POSTGRES_PASSWORD = "only-for-tests";
const installed = { bubblewrap: bubblewrapIsHere(), postgres: postgresIsHere(), redis: redisIsHere() };

const options = {
  repositories: [{ fullName: REPOSITORY, from: demoRepository }],
  users: [{ login: "mona", permission: "write" as const }],
};

/** Where the store is and which forge it is for: between them everything that keeps or shows something. */
type World = {
  rig: GithubRig | ForgejoRig;
  env: Readonly<Record<string, string>>;
  /** What only this world has, asked when the run is over. */
  secrets(): Record<string, string>;
  /** Everything that servers keep. */
  kept(): Promise<Record<string, string>>;
  close(): Promise<void>;
};

const onGithub = async (): Promise<World> => {
  const rig = await githubRig(options);
  const { GITHUB_APP_PRIVATE_KEY, GITHUB_WEBHOOK_SECRET } = rig.env;
  return {
    rig,
    env: rig.env,
    secrets: () => ({
      ...linesOfKey(GITHUB_APP_PRIVATE_KEY),
      "GitHub's webhook secret": GITHUB_WEBHOOK_SECRET,
      ...Object.fromEntries(rig.minted.map(({ token }, index) => [`installation token ${index}`, token])),
    }),
    kept: async () => ({}),
    close: rig.close,
  };
};

const onForgejoWithServers = async (): Promise<World> => {
  const rig = await forgejoRig(options);
  const postgres: PostgresServer = await postgresServer();
  const redis: RedisServer = await redisServer();
  const client = new Redis(redis.url);
  await client.config("SET", "requirepass", REDIS_PASSWORD);
  const url = await postgres.database();
  return {
    rig,
    env: {
      ...rig.env,
      DATABASE_URL: url,
      REDIS_URL: `redis://:${REDIS_PASSWORD}@127.0.0.1:${redis.port}`,
    },
    secrets: () => ({
      "Forgejo's token": rig.env.FORGEJO_TOKEN,
      "Forgejo's webhook secret": rig.env.FORGEJO_WEBHOOK_SECRET,
      "the password of PostgreSQL": POSTGRES_PASSWORD,
      "the password of Redis": REDIS_PASSWORD,
    }),
    kept: async () => {
      const keys = await client.keys("*");
      expect(keys.length).toBeGreaterThan(0);
      const values = await Promise.all(
        keys.map(async (key) => {
          const [command, ...rest] = READ[await client.type(key)] ?? [];
          if (command === undefined) throw new Error(`nobody reads what Redis has at ${key}`);
          return [key, await client.call(command, key, ...rest)];
        }),
      );
      return { "Redis' keys and values": JSON.stringify(values) };
    },
    close: async () => {
      client.disconnect();
      await rig.close();
      await redis.dispose();
      await postgres.dispose();
    },
  };
};

const READ: Readonly<Record<string, readonly string[]>> = {
  string: ["get"],
  hash: ["hgetall"],
  list: ["lrange", "0", "-1"],
  zset: ["zrange", "0", "-1"],
  set: ["smembers"],
  stream: ["xrange", "-", "+"],
};

const worlds = [
  ["GitHub, SQLite and this process's queue", "github", onGithub, installed.bubblewrap],
  ["Forgejo, PostgreSQL and Redis", "forgejo", onForgejoWithServers, Object.values(installed).every(Boolean)],
] as const;

/** Its threads are not replayed: what they found would be looked for again. */
describe.each(worlds)("a secret, with %s", (_, kind, open, canRun) => {
  let world: World;
  let root: string;
  let loot: Loot;
  let model: ModelServer;
  let collector: OtlpReceiver;
  let child: UwfChild;
  let watch: NodeJS.Timeout | undefined;
  const opened: (() => Promise<void>)[] = [];
  const [variables, dotEnv] = [variableCanaries(), dotEnvCanaries()];
  const commandLines = new Set<string>();
  const environments = new Set<string>();
  const storage = () => join(root, "storage");

  beforeEach(async ({ skip }) => {
    if (!canRun)
      skip(
        `needs ${Object.entries(installed)
          .filter(([, is]) => !is)
          .map(([name]) => name)
          .join(", ")}`,
      );
    root = mkdtempSync(join(tmpdir(), "uwf-everywhere-"));
    world = await open();
    opened.push(world.close);
    loot = await spreadLoot(root);
    opened.push(loot.close);
    collector = await otlpReceiver();
    opened.push(collector.close);
    model = await modelServer({
      script: pryingScript(demoScript, `the key ${KEY}, ${btoa(`u:${KEY}`)} failed upstream`),
      apiKey: KEY,
    });
    opened.push(model.close);
    mkdirSync(storage(), { mode: 0o700 });
    mkdirSync(join(root, "temporary"));
    writeFileSync(join(storage(), "config.yaml"), configWith(model.url), { mode: 0o600 });
    writeFileSync(
      join(storage(), ".env"),
      Object.entries(dotEnv)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
      { mode: 0o600 },
    );
    watch = setInterval(() => {
      const seen = processesNow();
      for (const line of seen.commandLines) commandLines.add(line);
      for (const environment of seen.environments) environments.add(environment);
    }, 20);
    child = uwfChild(["start"], {
      ...world.env,
      ...variables,
      PATH: process.env.PATH ?? "",
      HOME: loot.home,
      TMPDIR: join(root, "temporary"),
      OPENAI_API_KEY: KEY,
      UWF_STORAGE_ROOT: storage(),
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "trace",
      DEBUG: "*",
      GIT_TRACE_CURL: "1",
      OPENAI_LOG: "debug",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "100",
    });
  });
  afterEach(async () => {
    clearInterval(watch);
    child?.process.kill("SIGKILL");
    await child?.ended;
    for (const close of opened.splice(0).reverse()) await close();
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
  });

  /** Wrong requests, and right ones by the operator. */
  const asked = async (url: string): Promise<string> => {
    const token = variables.UWF_API_TOKEN ?? "";
    const operator = { authorization: `Bearer ${token}` };
    const answers = [
      fetch(`${url}/`),
      fetch(`${url}/${token}`),
      fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}x` } }),
      fetch(`${url}/metrics`, { headers: operator }),
      fetch(`${url}/queues`, { headers: operator }),
      fetch(`${url}/queues/api/queues`, { headers: operator }),
      fetch(`${url}/api/${kind}/webhooks`, { method: "POST", body: `{"key":"${KEY}"` }),
      fetch(`${url}/readyz`),
    ];
    const texts = await Promise.all(
      answers.map(async (answer) => {
        const response = await answer;
        return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
      }),
    );
    return texts.join("\n");
  };

  it("stands nowhere but where it was put", { timeout: 540_000 }, async (context) => {
    const { rig } = world;
    await expect.poll(child.output, { timeout: 120_000, interval: 50 }).toMatch(/listens on http/);
    const url = /listens on (http:\S+)/.exec(child.output())?.[1] ?? "";
    rig.sendWebhooksTo(`${url}/api/${kind}/webhooks`);
    rig.fault({
      method: "POST",
      path: /\/comments$/,
      answer: { status: 500, message: `${KEY} is not welcome` },
    });
    rig.fault({ method: "GET", path: /\/info\/refs$/, answer: { status: 500, message: `no ${KEY}` } });
    // What somebody says knows the secret; that is no reason to say it again.
    const body = `${demoIssue.body}\n\nMy key is ${variables.NPM_TOKEN}.`;
    const { number } = await rig.openIssue(REPOSITORY, { ...demoIssue, body, author: "mona" });
    const comments = async () => (await rig.comments(REPOSITORY, number)).map((each) => each.body).join("\n");

    await rig.label(REPOSITORY, number, "uwf", "mona");
    await expect.poll(comments, { timeout: 400_000, interval: 200 }).toContain("**Done.**");
    const pages = await asked(url);
    child.process.kill("SIGTERM");
    await child.ended;
    clearInterval(watch);

    const places: Readonly<Record<string, string>> = {
      ...filesBelow(root),
      ...(await stored(storage(), world.env.DATABASE_URL ?? null)),
      ...(await world.kept()),
      "standard output and error": child.output(),
      "command lines": [...commandLines].join("\n"),
      "the environment of commands": [...environments].join("\n"),
      "what the model's server is asked": JSON.stringify(model.requests.map((request) => request.body)),
      "comments on the issue": await comments(),
      "pull requests": JSON.stringify(await rig.pullRequests(REPOSITORY)),
      commits: await rig.bare(REPOSITORY).git("log", "--all", "--patch", "--format=fuller"),
      spans: JSON.stringify(collector.spans),
      "HTTP pages": pages,
    };
    const secrets: Readonly<Record<string, string>> = {
      "the model's key": KEY,
      ...Object.fromEntries(
        Object.entries({ ...variables, ...dotEnv }).map(([name, value]) => [
          name,
          value.split(" ").at(-1) ?? "",
        ]),
      ),
      ...loot.values,
      ...world.secrets(),
    };

    // What was to go wrong did, and the search finds what is there.
    expect(places["standard output and error"]).toContain("failed upstream");
    expect(places["standard output and error"]).toContain("is not welcome");
    expect(places["what the model's server is asked"]).toMatch(/prying.*pried/s);
    expect(environments.size).toBeGreaterThan(0);
    expect(collector.spans.length).toBeGreaterThan(0);
    const shown = Object.values(secrets)
      .map((secret) => `a ${secret} b`)
      .join("\n");
    expect(new Set(found({ shown }, secrets).map((line) => line.replace(/ \(.*/, ""))).size).toBe(
      Object.keys(secrets).length,
    );
    expect(found(places, secrets)).toEqual([]);
    const count = Object.keys(secrets).length * Object.keys(places).length;
    countAttempts(context, "secrets looked for in places", count);
    process.stdout.write(
      `Secrets: ${Object.keys(secrets).length} in ${formCount} forms, looked for in ${Object.keys(places).length} places (${count} pairs).\n`,
    );
  });
});

/** Everything that the process has written, but for where a person has put secrets; one place for each of its directories. */
const filesBelow = (root: string): Record<string, string> => {
  const texts: Record<string, string[]> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (/^(?:home|host)\/|^storage\/\.env$/.test(name)) continue;
    if (!statSync(join(root, name), { throwIfNoEntry: false })?.isFile()) continue;
    const place = `files in ${name.split("/").slice(0, 2).join("/")}`;
    texts[place] = [...(texts[place] ?? []), name, readFileSync(join(root, name), "latin1")];
  }
  return Object.fromEntries(Object.entries(texts).map(([place, parts]) => [place, parts.join("\n")]));
};

/** Bodies are compressed in the database: as the store reads them. */
const stored = async (storageRoot: string, databaseUrl: string | null): Promise<Record<string, string>> => {
  const store = await openStore({ storageRoot, databaseUrl });
  try {
    const [nodes, threads, deliveries, links]: unknown[][] = [[], [], [], []];
    for await (const node of store.allNodes()) nodes?.push(node);
    for await (const thread of store.allThreads()) {
      threads?.push(thread);
      links?.push(await store.links(thread.id));
    }
    for await (const delivery of store.allDeliveries()) deliveries?.push(delivery);
    expect(nodes?.length).toBeGreaterThan(50);
    return {
      "the store's nodes": JSON.stringify(nodes),
      "the store's threads": JSON.stringify(threads),
      "the store's deliveries": JSON.stringify(deliveries),
      "the store's links": JSON.stringify(links),
    };
  } finally {
    await store.close();
  }
};
