import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { lastProgress } from "./last-progress.ts";

const MOST = 10;

/**
 * Counts that a run of the thread ended without a word, by what its link says of the place where it stands now. Answers
 * why it should not be tried again, or null: a thread that takes its worker down each time would do so for ever, and
 * with it whatever else runs there. One outage, however long, counts little.
 */
export const countDeath = async (
  engine: Engine,
  record: ThreadRecord,
  { waitOutMs }: { waitOutMs: number },
): Promise<string | null> => {
  const place = [record.head, record.tip ?? "none", record.grantedAt].join(" ");
  const before = (await engine.store.link(record.id, "deaths")) ?? "";
  const deaths = before.startsWith(`${place} `) ? Number(before.slice(place.length + 1)) + 1 : 1;
  await engine.store.setLink(record.id, "deaths", `${place} ${deaths}`);
  if (deaths <= MOST || engine.now() - (await lastProgress(engine, record)) < waitOutMs) return null;
  return `Its run was cut off ${deaths} times at the same place: its worker may not survive it. The workers' logs may say why.`;
};
