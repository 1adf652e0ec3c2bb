import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atLeast, atMost, inTurn, median, ms, perSecond, type Row, times } from "./measurement.ts";
import { withPostgres } from "./postgres.ts";
import { withRedis } from "./redis.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";
import { githubApp, uwfProcess, WEBHOOK_SECRET } from "./uwf-process.ts";
import type { WebhookAction } from "./webhook-body.ts";
import type { Delivered } from "./webhook-client.ts";

const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 4;

/** Most of what an organisation sends leads to nothing; what does is left to workers. */
const kinds: Readonly<Record<WebhookAction, string>> = {
  labeled: "that lead to work",
  edited: "that lead to nothing",
};

/** Deliveries that a bot on PostgreSQL and Redis keeps and acknowledges, beside the forge's library with one round trip to Redis. */
export const webhookIntake = (): Promise<Row[]> =>
  withPostgres((postgres) =>
    withRedis((redis) =>
      inTemporaryDirectory(async (root) => {
        const env = { ...githubApp(), UWF_STORAGE_ROOT: root, PORT: "0" };
        const bot = await uwfProcess(["start", "--threads", "0", "--unsafe-no-sandbox"], {
          env: { ...env, DATABASE_URL: await postgres.database(), REDIS_URL: redis.url },
          ready: "listens",
        });
        const peer = await startPeer(redis.url);
        try {
          const at = { bot: urlIn(bot.said), peer: peer.url };
          return [...(await measure(at, "labeled")), ...(await measure(at, "edited"))];
        } finally {
          await Promise.all([bot.stop(), peer.stop()]);
        }
      }),
    ),
  );

const measure = async (at: { bot: string; peer: string }, action: WebhookAction): Promise<Row[]> => {
  const both: Both = await inTurn(
    { uwf: () => deliver(at.bot, action), octokit: () => deliver(at.peer, action) },
    { rounds: ROUNDS },
  );
  return [rateRow(both, action), slowestRow(both, action)];
};

type Both = { uwf: Delivered[]; octokit: Delivered[] };

const medianOf = (all: readonly Delivered[], read: (one: Delivered) => number): number =>
  median(all.map(read));

const rateRow = ({ uwf, octokit }: Both, action: WebhookAction): Row => {
  const ours = medianOf(uwf, (one) => one.perSecond);
  const theirs = medianOf(octokit, (one) => one.perSecond);
  return {
    measured: `Webhooks accepted ${kinds[action]}, 25 kB each, ${CONNECTIONS} connections`,
    uwf: perSecond(ours),
    beside: `@octokit/webhooks ${perSecond(theirs)}`,
    result: times(ours / theirs),
    goal: atLeast(ours / theirs, 0.9, "0.9×"),
  };
};

const slowestRow = ({ uwf, octokit }: Both, action: WebhookAction): Row => {
  const ours = medianOf(uwf, ({ p99 }) => p99);
  const theirs = medianOf(octokit, ({ p99 }) => p99);
  return {
    measured: `The slowest of a hundred of those ${kinds[action]}`,
    uwf: ms(ours),
    beside: `@octokit/webhooks ${ms(theirs)}`,
    result: times(ours / theirs),
    goal: atMost(ours / theirs, 1.5, "1.5×"),
  };
};

/** By a process of its own. Throws when one delivery was not accepted. */
const deliver = async (url: string, action: WebhookAction): Promise<Delivered> => {
  const client = fileURLToPath(new URL("webhook-client.ts", import.meta.url));
  const address = `${url}/api/github/webhooks`;
  const args = [client, address, WEBHOOK_SECRET, String(CONNECTIONS), String(SECONDS), action];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const delivered: Delivered = JSON.parse(stdout);
  if (delivered.refused > 0) throw new Error(`${delivered.refused} webhooks were refused: ${stdout}`);
  return delivered;
};

const startPeer = async (redisUrl: string): Promise<{ url: string; stop(): Promise<void> }> => {
  const file = fileURLToPath(new URL("webhook-peer.ts", import.meta.url));
  const child = spawn(process.execPath, [file, WEBHOOK_SECRET, redisUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [said] = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exited]);
  return {
    url: urlIn(String(said)),
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
};

const urlIn = (said: string): string => {
  const found = /http:\S+/.exec(said)?.[0];
  if (found === undefined) throw new Error(`no address in "${said}"`);
  return found;
};
