import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { CheckpointState } from "./checkpoints.ts";
import { openConnection, type Sql } from "./connection.ts";
import type { RetryOptions } from "./retry.ts";

const PAUSE_MS = 2;

/** `PASSIVE` waits for nobody, and nobody who writes waits for it. */
const checkpoint = (sql: Sql): CheckpointState => {
  const done = sql.one<{ log: number; checkpointed: number }>("PRAGMA wal_checkpoint(PASSIVE)");
  const pages = Math.max(0, done?.log ?? 0);
  return { pages, left: pages - Math.max(0, done?.checkpointed ?? 0) };
};

let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});
const connection = openConnection(workerData as RetryOptions);
while (!isOver) {
  parentPort?.postMessage(await connection.read(checkpoint));
  await setTimeout(PAUSE_MS);
}
connection.close();
