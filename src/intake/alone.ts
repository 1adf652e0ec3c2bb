import { AppError } from "../base/errors.ts";
import { holdLease } from "../store/hold-lease.ts";
import type { Store } from "../store/store.ts";

/** That nobody else starts or changes what the subject's threads are. */
export type Alone = {
  /** Fires when that can no longer be said. */
  held: AbortSignal;
  /** Makes sure of it: this process may have stood still. Throws when it cannot. */
  confirm(): Promise<void>;
};

/** Does `work` while nobody else starts a thread for the subject. Throws `subject-busy` (retry). */
export const alone = async <T>(
  { store, holder }: { store: Store; holder: string },
  { subject, signal }: { subject: string; signal: AbortSignal },
  work: (alone: Alone) => Promise<T>,
): Promise<T> => {
  const busy = () => subjectBusy(`Another process is starting a thread for ${subject}.`);
  const lost = new AbortController();
  const onLost = () => lost.abort(busy());
  const lease = await holdLease(store, { key: `subject/${subject}`, holder, onLost, busy });
  try {
    return await work({ held: AbortSignal.any([signal, lost.signal]), confirm: lease.ensure });
  } catch (error) {
    throw lost.signal.aborted ? busy() : error;
  } finally {
    await lease.release();
  }
};

/** Somebody starts or answers for a moment: many who wait for it are not to wait longer and longer. */
const MOMENT_MS = 1_000;

export const subjectBusy = (message: string, retryAfterMs = MOMENT_MS): AppError =>
  new AppError(message, { code: "subject-busy", remedy: "retry", retryAfterMs });
