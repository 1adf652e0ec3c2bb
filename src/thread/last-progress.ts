import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { childrenOf } from "./tree.ts";

/** When the thread last got further: its last turn, its last step, or what a person did; there, or in one that plays a role in it. */
export const lastProgress = async (
  { store }: Pick<Engine, "store">,
  { head, tip, ...record }: ThreadRecord,
): Promise<number> => {
  const [last, turn] = await Promise.all([store.get(head), tip === null ? null : store.load("turn", tip)]);
  const finished = last?.type === "step" ? last.payload.finishedAt : 0;
  const [child] = await childrenOf(store, record.id);
  const below = child === undefined ? undefined : await store.thread(child);
  const childs = below === undefined ? 0 : await lastProgress({ store }, below);
  return Math.max(record.createdAt, record.grantedAt, finished, turn?.at ?? 0, childs);
};
