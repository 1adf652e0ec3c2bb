import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { silentLog } from "../src/base/log.ts";
import { bullmqQueue } from "../src/queue/bullmq-queue.ts";
import { postgresStore } from "../src/store/postgres-store.ts";
import type { AdmissionLimits } from "../src/store/store.ts";
import { liveReporter } from "../src/worker/report.ts";
import { startWorker } from "../src/worker/worker.ts";
import { fakeForge, forgesOf } from "../test/fixtures/fake-forge.ts";
import { answering, stubEngine } from "./stub-engine.ts";

/**
 * A worker process: the real store, queue and engine, with an agent that answers after `thinkMs` and a forge that takes
 * every comment. The one argument is `LoadWorker` as JSON. It says `ready`, begins when a line comes in, and then prints the
 * thread and the number of each step that its agent is asked for.
 */
export type LoadWorker = {
  database: string;
  redis: string;
  root: string;
  steps: number;
  places: number;
  thinkMs: number;
  limits: AdmissionLimits;
};

const { database, redis, root, steps, places, thinkMs, limits } = JSON.parse(
  process.argv[2] ?? "",
) as LoadWorker;

const store = await postgresStore({ url: database });
const queue = bullmqQueue({ url: redis, store, log: silentLog, limits });
let comments = 0;
const forge = {
  ...fakeForge(),
  findComment: async () => undefined,
  createComment: async (_issue: number, body: string) => ({
    ...{ id: ++comments, body, author: "uwf", url: "" },
    editedAt: Date.now(),
  }),
  updateComment: async () => undefined,
};
const reporter = liveReporter({ store, forges: forgesOf(forge), log: silentLog, now: Date.now });
const agent = answering(steps, async (thread, step) => {
  process.stdout.write(`${thread} ${step}\n`);
  if (thinkMs > 0) await setTimeout(thinkMs);
});
const engine = { ...stubEngine({ store, root, emit: reporter.see }), adapterOf: () => agent };

process.stdout.write("ready\n");
await once(process.stdin, "data");
const worker = startWorker({ engine, queue, reporter, deliveries: null, concurrency: places, monthly: null });
await once(process, "SIGTERM");
await worker.close();
await queue.close();
await store.close();
process.exit(0);
