import type { PullRequestDetails } from "../../forge/forge.ts";
import { subjectOf } from "../../forge/keys.ts";
import type { ThreadRecord } from "../../store/store.ts";
import { isRunnable } from "../../thread/state.ts";
import { subjectBusy } from "../alone.ts";
import type { CommandOptions } from "../commands/read-options.ts";
import { type Answer, told, underWay } from "../commands/request.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { startWork, type Work } from "../start-work.ts";
import { UNDER_WAY } from "../subjects.ts";
import { sourceOf } from "./source.ts";

/** Until the work that is under way there is done. */
const COME_AGAIN_MS = 30_000;

type FollowUp = Pick<Work, "workflow" | "trigger" | "input" | "leftOut"> & {
  pull: PullRequestDetails;
  request: { sender: Work["requester"]; command: { options: CommandOptions } };
  isWanted?: NonNullable<Work["isWanted"]>;
};

/**
 * Asks the store alone whether a worker has other work on the pull request: while it has, whoever waits asks the forge nothing, again
 * and again. Throws `subject-busy` (retry).
 */
export const waitForTurn = async (
  { engine: { store } }: IntakeParts,
  { place }: Pick<Asked, "place">,
  number: number,
): Promise<void> => {
  const subject = subjectOf(place, number);
  const [running] = await store.threads({ subject, status: AT_WORK, limit: 1 });
  if (running !== undefined) throw itsTurn(running, subject);
};

const AT_WORK = UNDER_WAY.filter(isRunnable);

const itsTurn = ({ id }: ThreadRecord, where: string) =>
  subjectBusy(`Thread ${id} works on ${where}; this comes after it.`, COME_AGAIN_MS);

/**
 * Starts more work on the bot's own pull request; while a worker has other work there, this waits for its turn: throws
 * `subject-busy` (retry), and takes what is open then. Work that waits for a person may do so for ever: that is told.
 */
export const startFollowUp = async (
  parts: IntakeParts,
  asked: Asked,
  { pull, request, isWanted, ...work }: FollowUp,
): Promise<Answer> => {
  const started = await startWork(parts, asked, {
    ...work,
    about: { number: pull.number, title: pull.title, url: pull.url },
    requester: request.sender,
    options: request.command.options,
    pullRequest: sourceOf(pull, asked),
    ...(isWanted === undefined ? {} : { isWanted }),
  });
  if (started.kind === "under-way" && !isRunnable(started.thread.status))
    return told(underWay(started.thread));
  if (started.kind === "under-way") throw itsTurn(started.thread, pull.url);
  return started.kind === "started" ? { kind: "done", thread: started.thread } : { kind: "done" };
};
