import { inputError } from "../../base/errors.ts";
import { resolveThread } from "../../store/resolve.ts";
import type { ThreadRecord } from "../../store/store.ts";
import type { ReadStore } from "../store-reader.ts";

export const threadArgument = { summary: "A thread's id, or its first 8 characters or more." } as const;

/** The thread that a person means by an id or its beginning. Throws as `resolveThread`. */
export const findThread = async (
  store: Pick<ReadStore, "thread" | "findThreads">,
  text: string,
): Promise<ThreadRecord> => {
  const id = await resolveThread(store, text);
  const record = await store.thread(id);
  if (record === undefined) throw inputError("thread-unknown", `thread ${id} was removed just now`);
  return record;
};
