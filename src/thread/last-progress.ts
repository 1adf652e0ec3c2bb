import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";

/** When the thread last got further: its last turn, its last step, or what a person did. */
export const lastProgress = async (
  { store }: Engine,
  { head, tip, ...record }: ThreadRecord,
): Promise<number> => {
  const [last, turn] = await Promise.all([store.get(head), tip === null ? null : store.load("turn", tip)]);
  const finished = last?.type === "step" ? last.payload.finishedAt : 0;
  return Math.max(record.createdAt, record.grantedAt, finished, turn?.at ?? 0);
};
