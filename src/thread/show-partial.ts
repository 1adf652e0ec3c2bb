import { AppError, messageOf } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import type { Published, PublishingStep } from "./publisher.ts";
import type { Session } from "./session.ts";
import { turnsSpent } from "./spending.ts";

/**
 * Publishes what a thread has made so far, when its budget ends it. Answers sentences for people that say where it is, or why
 * it could not be published: the thread pauses either way, with its files kept. None where there is nothing to show.
 */
export const showPartial = async (
  session: Session,
  { workspace, summary }: { workspace: Hash | null; summary: string },
): Promise<string[]> => {
  const { engine, record, root, history, control, lease } = session;
  // A thread shows the work of those that play roles in it.
  if (workspace === null || root !== record.id) return [];
  try {
    const published = await engine.publisher.publishPartial({
      thread: record.id,
      history,
      workspace,
      step: stepOf(session),
      summary,
      signal: control.signal,
      confirm: async () => {
        await lease.ensure();
        control.signal.throwIfAborted();
      },
    });
    if (published === null) return [];
    engine.emit({ thread: record.id, at: engine.now(), kind: "published", published });
    return [sentenceOf(published)];
  } catch (error) {
    control.checkpoint();
    engine.log.warn({ thread: record.id, error: messageOf(error) }, "cannot publish what there is so far");
    const why = error instanceof AppError ? messageOf(error) : "the log says why.";
    return [`What there is so far is kept, but could not be published: ${why}`];
  }
};

const sentenceOf = ({ branch, url }: Published): string =>
  `What there is so far is on ${branch}${url === null ? "" : `, in the draft pull request ${url}`}.`;

/** The step that is under way, as far as it has come. */
const stepOf = ({ current, history }: Session): PublishingStep | null => {
  const agent = current === null ? undefined : history.start.agents[current.role.name];
  if (current === null || agent === undefined) return null;
  const { role, journal } = current;
  return { role: role.name, agent, turns: journal.tip(), usage: turnsSpent(journal.turns, 0).usage };
};
