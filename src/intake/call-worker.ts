import { messageOf } from "../base/errors.ts";
import type { ThreadRecord } from "../store/store.ts";
import type { IntakeParts } from "./parts.ts";

/** Tells the workers of a thread that is queued. That none could be called is no failure: one finds the thread in the store. */
export const callWorker = async (
  { queue, log }: Pick<IntakeParts, "queue" | "log">,
  { id, subject, installation }: ThreadRecord,
): Promise<void> => {
  log.info({ thread: id, subject, installation }, "thread queued");
  try {
    await queue.enqueue({ kind: "thread", thread: id });
  } catch (error) {
    log.warn({ thread: id, error: messageOf(error) }, "cannot call a worker for the thread");
  }
};
