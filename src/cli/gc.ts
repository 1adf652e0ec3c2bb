import { processHolder } from "../base/process-holder.ts";
import { collectGarbage, GRACE_HOURS, HOUR_MS } from "../store/collect-garbage.ts";
import type { Collection } from "../store/store.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { counted, formatDuration } from "./format.ts";
import { deletedText } from "./format-collection.ts";
import { numberOption } from "./parse-arguments.ts";
import { printJson } from "./print.ts";
import { withStore } from "./store-session.ts";
import { styleFor } from "./style.ts";

export const command = defineCommand({
  description:
    "Deletes the nodes that no thread and no registered workflow leads to. Threads may run meanwhile; a worker does the same once a day.",
  arguments: {},
  options: {
    "dry-run": { type: "boolean", summary: "Only say what would be deleted." },
    grace: {
      type: "string",
      value: "hours",
      summary: `Keep nodes that were put so recently (${GRACE_HOURS}), with all that they lead to.`,
    },
    json: jsonOption,
  },
  examples: ["uwf gc --dry-run", "uwf gc --grace 72"],
  run: async ({ options }, context) => {
    const graceHours = numberOption(options.grace ?? String(GRACE_HOURS), {
      name: "gc",
      option: "grace",
      min: 0,
    });
    const dryRun = options["dry-run"] === true;
    const collection = await withStore(context, (store) =>
      collectGarbage(store, { holder: processHolder(), graceMs: graceHours * HOUR_MS, dryRun }),
    );
    if (options.json) printJson(context, { dryRun, graceHours, ...rounded(collection) });
    else {
      const style = await styleFor(context.stdout, context);
      const { collected, kept, ms } = collection;
      const young =
        collected > 0 || graceHours === 0 ? "" : ` What was put in the last ${graceHours} hours stays.`;
      const what = `${deletedText(collection)}; ${counted(kept, "node")} ${dryRun ? "would stay" : "stay"}`;
      const said = dryRun ? `Would delete ${what}.` : `${style.green("✓")} Deleted ${what}.`;
      context.stdout.write(`${said}${young} ${style.dim(`(${formatDuration(ms)})`)}\n`);
    }
    return exitCodes.done;
  },
});

const rounded = (collection: Collection): Collection => ({ ...collection, ms: Math.round(collection.ms) });
