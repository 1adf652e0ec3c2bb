import { AppError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Forge, Forges } from "../forge/forge.ts";
import { holdLease } from "../store/hold-lease.ts";
import type { ThreadRecord, ThreadStatus } from "../store/store.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { type CreateThreadParts, createThread } from "./create-thread.ts";
import { issueInput } from "./issue-input.ts";
import { subjectOf, type Trigger } from "./triggers.ts";

export type SolveParts = CreateThreadParts & {
  forges: Forges;
  log: Log;
  /** This process, as holder of leases. */
  holder: string;
  findWorkflow(name: string, forge: Forge): Promise<Workflow>;
};

const UNDER_WAY: readonly ThreadStatus[] = ["queued", "running", "paused", "suspended"];

/**
 * Starts the thread `id` for an issue, when the sender may write to the repository, and answers it; undefined when there
 * is nothing to start. Asked again with the same id it answers the same thread, however that stands by now; for the same
 * issue while another thread is under way it answers that one.
 */
export const solveIssue = async (
  parts: SolveParts,
  { trigger, id, signal }: { trigger: Trigger; id: ThreadId; signal: AbortSignal },
): Promise<ThreadRecord | undefined> => {
  const { store, log } = parts;
  const { place, issue, sender } = trigger;
  const begun = await store.thread(id);
  if (begun !== undefined) return begun;
  const forge = await parts.forges.open(place);
  const permission = await forge.permission(sender.login);
  if (permission !== "write" && permission !== "admin") {
    log.info(
      { repository: place.repository, issue: issue.number, sender: sender.login, permission },
      "not allowed to ask",
    );
    await forge.react({ issue: issue.number }, "confused");
    return undefined;
  }
  return alone(parts, { subject: subjectOf(trigger), signal }, async ({ held, confirm }) => {
    const subject = subjectOf(trigger);
    const [running] = await store.threads({ subject, status: UNDER_WAY, limit: 1 });
    if (running !== undefined) return running;
    await forge.react({ issue: issue.number }, "eyes");
    return createThread(parts, {
      id,
      workflow: await parts.findWorkflow(trigger.workflow, forge),
      title: issue.title,
      input: issueInput(issue),
      subject,
      source: {
        ...place,
        issue: { number: issue.number, title: issue.title, url: issue.url },
        requester: { login: sender.login, id: sender.id },
        branch: null,
      },
      model: null,
      signal: held,
      confirm,
    });
  });
};

/** That nobody else starts a thread for the subject. */
type Alone = {
  /** Fires when that can no longer be said. */
  held: AbortSignal;
  /** Makes sure of it: this process may have stood still. Throws when it cannot. */
  confirm(): Promise<void>;
};

/** Does `work` while nobody else starts a thread for the subject. Throws `subject-busy` (retry). */
const alone = async <T>(
  { store, holder }: SolveParts,
  { subject, signal }: { subject: string; signal: AbortSignal },
  work: (alone: Alone) => Promise<T>,
): Promise<T> => {
  const busy = () =>
    new AppError(`Another process is starting a thread for ${subject}.`, {
      code: "subject-busy",
      remedy: "retry",
    });
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
