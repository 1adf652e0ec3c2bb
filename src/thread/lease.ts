import { AppError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { holderText } from "../base/process-holder.ts";
import { holdLease, type Lease } from "../store/hold-lease.ts";
import { type Store, threadLease } from "../store/store.ts";

/** Holds the thread's lease. Throws `thread-busy` (retry) while another run holds it. */
export const holdThread = (
  store: Store,
  { thread, ...options }: { thread: ThreadId; holder: string; onLost: (error: unknown) => void },
): Promise<Lease> =>
  holdLease(store, {
    ...options,
    key: threadLease(thread),
    busy: (other) =>
      new AppError(`Thread ${thread} is being run by ${holderText(other)}.`, {
        code: "thread-busy",
        remedy: "retry",
        hint: "Wait for it, or follow it with `uwf thread show`.",
      }),
  });
