import { isObject } from "../base/json.ts";
import type { Payload } from "../store/payload.ts";
import type { Store, ThreadRecord } from "../store/store.ts";

/** Whether the step's agent is the designer, which talks with a person. */
export const isOfDesigner = async (
  store: Pick<Store, "load">,
  { agent }: Pick<Payload<"step">, "agent">,
): Promise<boolean> => (await store.load("agent", agent)).adapter === "designer";

/** Whether the thread is a conversation: whatever a person says where it is held may be meant for it. */
export const isConversation = async (
  store: Pick<Store, "load" | "loadAll">,
  { start }: Pick<ThreadRecord, "start">,
): Promise<boolean> => {
  const { agents } = await store.load("thread-start", start);
  return (await store.loadAll("agent", Object.values(agents))).some(({ adapter }) => adapter === "designer");
};

/** Whether the conversation waits because something went wrong, and can go on without a word. */
export const isBroken = async (
  store: Pick<Store, "load" | "history">,
  { status, head }: Pick<ThreadRecord, "status" | "head">,
): Promise<boolean> => {
  if (status !== "suspended") return false;
  const last = (await store.history(head)).steps.at(-1);
  if (last === undefined || !isObject(last.output) || last.output.status !== "failed") return false;
  return isOfDesigner(store, last.step);
};
