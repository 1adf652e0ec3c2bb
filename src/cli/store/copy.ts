import type { CopyCounts } from "../../store/copy.ts";
import { defineCommand, jsonOption } from "../command.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-code.ts";
import { counted } from "../format.ts";
import { usageError } from "../parse-arguments.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../style.ts";
import { isStoreKind, type StoreKind, withBothStores } from "./both-stores.ts";
import { copyProgress } from "./copy-progress.ts";

const other = { postgres: "sqlite", sqlite: "postgres" } as const;

export const command = defineCommand({
  description:
    "Copies threads, nodes, workflows, deliveries, reserved money and conversations with the designer between uwf.db in the storage root and the PostgreSQL database that DATABASE_URL names, then reads every node back. The target has to be empty, or have nothing but what an interrupted copy brought there: that is finished. Nothing may run meanwhile. The source is left as it is.",
  arguments: {},
  options: {
    to: { type: "string", summary: "postgres or sqlite; the other one is copied.", value: "kind" },
    json: jsonOption,
  },
  examples: ["uwf store copy --to postgres", "uwf store copy --to sqlite --json"],
  run: async ({ options: { to, json } }, context) => {
    if (to === undefined || !isStoreKind(to))
      throw usageError(
        "store copy",
        `option --to must be postgres or sqlite${to === undefined ? "" : `, not "${to}"`}`,
      );
    const { copyStore } = await import("../../store/copy.ts");
    const progress = copyProgress(context);
    const counts = await withBothStores(context, to, (sides) =>
      copyStore(sides, progress.show).finally(progress.end),
    );
    if (json) printJson(context, { from: other[to], to, ...counts });
    else await printCounts(context, to, counts);
    return exitCodes.done;
  },
});

const next: Record<StoreKind, string> = {
  postgres: "While DATABASE_URL is set, uwf works on the database; uwf.db stays as it was.",
  sqlite: "Once DATABASE_URL is not set any more, uwf works on uwf.db; the database stays as it was.",
};

const printCounts = async (context: Context, to: StoreKind, counts: CopyCounts): Promise<void> => {
  const style = await styleFor(context.stdout, context);
  const parts = [
    counted(counts.nodes, "node"),
    counted(counts.threads, "thread"),
    counted(counts.links, "link"),
    counted(counts.workflows, "workflow"),
    counts.deliveries === 1 ? "1 delivery" : `${counts.deliveries} deliveries`,
    counted(counts.reservations, "reservation"),
    counted(counts.sessions, "session"),
    counted(counts.designs, "design"),
  ];
  context.stdout.write(`${style.green("✓")} Copied and read back: ${parts.join(", ")}.\n${next[to]}\n`);
};
