import { idleBot } from "./idle-bot.ts";
import type { Row } from "./measurement.ts";
import { processStart } from "./process-start.ts";
import { keepIn, tableOf } from "./report.ts";
import { stepOverhead } from "./step-overhead.ts";
import { threadContext } from "./thread-context.ts";
import { workspaceOpen } from "./workspace-open.ts";

const measurements = { stepOverhead, threadContext, processStart, workspaceOpen, idleBot };

const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
const table = tableOf(rows);
process.stdout.write(`${table}\n`);
await keepIn(new URL("README.md", import.meta.url), table);
