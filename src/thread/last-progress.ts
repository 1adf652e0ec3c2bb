import type { Hash } from "../base/ids.ts";
import type { Payload } from "../store/payload.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import { childrenOf } from "./tree.ts";

/** When the thread last got further: its last turn, its last step, or what a person did; there, or in one that plays a role in it. */
export const lastProgress = async (
  { store }: Pick<Engine, "store">,
  { head, tip, ...record }: ThreadRecord,
): Promise<number> => {
  const [last, turn] = await Promise.all([store.get(head), tip === null ? null : lastKept(store, tip)]);
  const finished = last?.type === "step" ? last.payload.finishedAt : 0;
  const [child] = await childrenOf(store, record.id);
  const below = child === undefined ? undefined : await store.thread(child);
  const childs = below === undefined ? 0 : await lastProgress({ store }, below);
  return Math.max(record.createdAt, record.grantedAt, finished, turn?.at ?? 0, childs);
};

/** The last turn that got anything done: requests to a model that brought no reply did not. */
const lastKept = async (store: Pick<Engine["store"], "load">, tip: Hash): Promise<Payload<"turn"> | null> => {
  const turn = await store.load("turn", tip);
  if (turn.kind !== "lost") return turn;
  return turn.prev === null ? null : lastKept(store, turn.prev);
};
