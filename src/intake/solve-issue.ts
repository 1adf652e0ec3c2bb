import { AppError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge, Forges } from "../forge/forge.ts";
import type { ThreadRecord, ThreadStatus } from "../store/store.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { type CreateThreadParts, createThread } from "./create-thread.ts";
import { issueInput } from "./issue-input.ts";
import { subjectOf, type Trigger } from "./triggers.ts";

export type SolveParts = CreateThreadParts & {
  forges: Forges;
  log: Log;
  /** This process, as holder of the subject's lease. */
  holder: string;
  findWorkflow(name: string, forge: Forge): Promise<Workflow>;
};

const UNDER_WAY: readonly ThreadStatus[] = ["queued", "running", "paused", "suspended"];
const LEASE_MS = 5 * 60_000;

/**
 * Starts a thread for an issue, when the sender may write to the repository, and answers it; undefined when there is
 * nothing to start. Asked again for the same issue while a thread is under way, it starts no second one.
 */
export const solveIssue = async (
  parts: SolveParts,
  trigger: Trigger,
  signal: AbortSignal,
): Promise<ThreadRecord | undefined> => {
  const { store, holder, log } = parts;
  const { place, issue, sender } = trigger;
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
  const subject = subjectOf(trigger);
  if (!(await store.lease(`subject/${subject}`, holder, LEASE_MS)))
    throw new AppError(`Another process is starting a thread for ${subject}.`, {
      code: "subject-busy",
      remedy: "retry",
    });
  try {
    const [running] = await store.threads({ subject, status: UNDER_WAY, limit: 1 });
    if (running !== undefined) return running;
    await forge.react({ issue: issue.number }, "eyes");
    return await createThread(parts, {
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
      signal,
    });
  } finally {
    await store.release(`subject/${subject}`, holder);
  }
};
