import { inputError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import { type ThreadStatus, threadStatuses } from "../../store/store.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { formatAge } from "../format.ts";
import { numberOption } from "../parse-arguments.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { renderTable } from "../table.ts";
import { plainLine } from "../terminal-text.ts";
import { paintStatus, shortId, threadJson } from "./thread-text.ts";

export const command = defineCommand({
  description: "Lists threads, the newest first.",
  arguments: {},
  options: {
    status: { type: "string", value: "status,…", summary: `Only these: ${threadStatuses.join(", ")}.` },
    limit: { type: "string", value: "n", summary: "At most so many (20)." },
    json: jsonOption,
  },
  examples: ["uwf thread list", "uwf thread list --status paused,suspended"],
  run: ({ options }, context) => {
    const limit = numberOption(options.limit ?? "20", {
      name: "thread list",
      option: "limit",
      min: 1,
      whole: true,
    });
    const status = options.status === undefined ? undefined : statusesIn(options.status);
    return readStore(context, async (store) => {
      const records = await store.threads({ limit, ...(status === undefined ? {} : { status }) });
      const rows = await Promise.all(
        records.map(async (record) => ({ record, steps: (await store.history(record.head)).steps.length })),
      );
      if (options.json) {
        printJson(
          context,
          rows.map(({ record, steps }) => ({ ...threadJson(record), steps })),
        );
        return exitCodes.done;
      }
      if (rows.length === 0) {
        context.stderr.write(
          `No threads${status === undefined ? " yet" : ""}. \`uwf solve --help\` shows how to start one.\n`,
        );
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      const paint = (cell: string) => paintStatus(cell, cell as ThreadStatus, style);
      const columns = [
        { title: "THREAD", paint: style.cyan },
        { title: "STATE", paint },
        { title: "WORKFLOW" },
        { title: "TITLE", flexible: true as const },
        { title: "STEPS", align: "right" as const },
        { title: "AGE", align: "right" as const },
      ];
      const cells = rows.map(({ record, steps }) => [
        shortId(record.id),
        record.status,
        plainLine(record.workflow),
        plainLine(record.title),
        String(steps),
        formatAge(context.now() - record.createdAt),
      ]);
      context.stdout.write(renderTable(columns, cells, { width: context.stdout.columns(), head: style.dim }));
      return exitCodes.done;
    });
  },
});

const statusesIn = (text: string): ThreadStatus[] =>
  text.split(",").map((part) => {
    const status = threadStatuses.find((known) => known === part.trim());
    if (status !== undefined) return status;
    throw inputError(
      "usage",
      `"${part.trim()}" is no status${didYouMean(part, threadStatuses)}`,
      `They are: ${threadStatuses.join(", ")}.`,
    );
  });
