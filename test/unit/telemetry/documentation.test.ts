import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openMetrics } from "../../../src/telemetry/metrics.ts";

const page = readFileSync(new URL("../../../docs/observability.md", import.meta.url), "utf8");

it("documents every metric, and no other", async () => {
  const metrics = openMetrics({
    store: {
      counts: async () => ({
        threads: { queued: 0, running: 0, paused: 0, suspended: 0, completed: 0, failed: 0, cancelled: 0 },
        waitingSince: null,
        pendingDeliveries: 0,
        deliveriesSince: null,
        workers: 0,
        places: 0,
      }),
    },
  });

  const { text } = await metrics.exposition();

  const told = [...text.matchAll(/^# HELP (uwf_\w+)/gm)].map(([, name]) => name ?? "");
  const documented = [...page.matchAll(/^\| `(uwf_\w+)/gm)].map(([, name]) => name ?? "");
  expect(documented.toSorted()).toEqual(told.toSorted());
});
