import { postgresIsHere } from "../test/rigs/postgres-server.ts";
import { redisIsHere } from "../test/rigs/redis-server.ts";
import { designerConnect, designerFirstByte, designerOnPostgres, designerOnSqlite } from "./designer.ts";
import { fairness } from "./fairness.ts";
import { idleBot } from "./idle-bot.ts";
import { load } from "./load.ts";
import type { Row } from "./measurement.ts";
import { nodeCollection } from "./node-collection.ts";
import { processStart } from "./process-start.ts";
import { keepIn, tableOf } from "./report.ts";
import { sandboxedCommand } from "./sandboxed-command.ts";
import { shownText } from "./shown-text.ts";
import { stepAgent } from "./step-agent.ts";
import { stepsOnPostgres } from "./steps-on-postgres.ts";
import { stepsOnSqlite } from "./steps-on-sqlite.ts";
import { subWorkflow } from "./sub-workflow.ts";
import { contextOnPostgres, contextOnSqlite } from "./thread-context.ts";
import { webhookIntake } from "./webhook-intake.ts";
import { workerMemory } from "./worker-memory.ts";
import { workspaceOpen } from "./workspace-open.ts";

const alone = {
  stepsOnSqlite,
  contextOnSqlite,
  subWorkflow,
  stepAgent,
  processStart,
  workspaceOpen,
  sandboxedCommand,
  shownText,
  nodeCollection,
  designerOnSqlite,
  designerFirstByte,
  designerConnect,
  idleBot,
};
const withServers = {
  stepsOnPostgres,
  contextOnPostgres,
  designerOnPostgres,
  webhookIntake,
  load,
  fairness,
  workerMemory,
};

/** Names of measurements: only these are taken, and nothing is kept. */
const asked = process.argv.slice(2);
const serversAreHere = postgresIsHere() && redisIsHere();
const here = serversAreHere ? { ...alone, ...withServers } : alone;
const measurements = Object.entries<() => Promise<Row[]>>(here).filter(
  ([name]) => asked.length === 0 || asked.includes(name),
);

const rows: Row[] = [];
for (const [name, measure] of measurements) {
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
const table = tableOf(rows);
process.stdout.write(`${table}\n`);
if (!serversAreHere)
  process.stderr.write(
    `Not measured without PostgreSQL and Redis: ${Object.keys(withServers).join(", ")}.\n`,
  );
else if (asked.length === 0) await keepIn(new URL("README.md", import.meta.url), table);
