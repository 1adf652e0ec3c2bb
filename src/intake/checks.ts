import type { ChecksFinished } from "../forge/events.ts";
import type { CheckReport, PullRequestDetails } from "../forge/forge.ts";
import { commitKey, subjectOf } from "../forge/keys.ts";
import type { ThreadRecord } from "../store/store.ts";
import { isRunnable } from "../thread/state.ts";
import { subjectBusy } from "./alone.ts";
import { checksInput } from "./follow-up/checks-input.ts";
import { notWorkable } from "./follow-up/source.ts";
import { startFollowUp, waitForTurn } from "./follow-up/start.ts";
import { isHeldBack, noteReady } from "./held-back.ts";
import { tell } from "./notices.ts";
import type { Asked, IntakeParts, Outcome } from "./parts.ts";
import { mayAsk } from "./permission.ts";
import { inputOf } from "./start-work.ts";
import { threadsAbout } from "./subjects.ts";

/** Tries at failing checks that nobody asked for. */
const MOST_TRIES = 2;
/** Until the work that has pushed the commit is done. */
const COME_AGAIN_MS = 10_000;

/** Whether a thread has pushed the commit: most checks are of others' commits, and nobody has to ask the forge about them. */
export const isOwnCommit = async ({ engine }: IntakeParts, event: ChecksFinished): Promise<boolean> =>
  (await engine.store.linkedThreads("commit", commitKey(event, event.commit))).length > 0;

/**
 * Checks of a commit that a thread has pushed: when all have passed, a draft that waited for them is ready; when some failed, that is
 * work for the one who asked for the thread's, a few times. Anybody else's commits are nobody's business here. While the thread
 * is still at work, whose pull request may come only now, this waits: throws `subject-busy` (retry).
 */
export const handleChecks = async (
  parts: IntakeParts,
  asked: Asked,
  event: ChecksFinished,
): Promise<Outcome> => {
  const { store } = parts.engine;
  const [id] = await store.linkedThreads("commit", commitKey(asked.place, event.commit));
  const author = id === undefined ? undefined : await store.thread(id);
  if (author === undefined) return undefined;
  if (isRunnable(author.status))
    throw subjectBusy(`Thread ${author.id}, which has pushed ${event.commit}, is at work.`, COME_AGAIN_MS);
  const link = await store.link(author.id, "pull-request");
  if (link === undefined) return undefined;
  const { number } = JSON.parse(link) as { number: number };
  if (!event.passed) await waitForTurn(parts, asked, number);
  const pull = await asked.forge.pullRequest(number);
  if (pull.head.commit !== event.commit || !pull.isOwn || notWorkable(pull, asked) !== null) return undefined;
  const report = await asked.forge.checks(event.commit);
  if (report.state === "success") return ready(parts, asked, { pull, author });
  return report.state === "failure" ? mend(parts, asked, { pull, author, report }) : undefined;
};

type About = { pull: PullRequestDetails; author: ThreadRecord };

/** Work that stopped half-way stays a draft, whatever its checks say; so does what a person has made one again. */
const ready = async (
  { engine: { store }, refresh }: IntakeParts,
  { forge, place, settings }: Asked,
  { pull, author }: About,
): Promise<undefined> => {
  const subject = subjectOf(place, pull.number);
  if (pull.draft) {
    if (author.status !== "completed" || settings.draft !== "until-tests-pass") return;
    if (await isHeldBack(store, subject)) return;
    await forge.setDraft(pull.number, false);
  }
  for (const thread of await noteReady(store, subject)) refresh(thread);
};

const mend = async (
  parts: IntakeParts,
  asked: Asked,
  { pull, author, report }: About & { report: CheckReport },
): Promise<Outcome> => {
  const { store } = parts.engine;
  const { source } = await store.load("thread-start", author.start);
  if (source?.requester == null) return undefined;
  const requester = { login: source.requester.login, isBot: false };
  if (!(await mayAsk(asked.forge, requester, parts.log))) return undefined;
  const tries = await triesSoFar(parts, subjectOf(asked.place, pull.number));
  if (tries >= MOST_TRIES) {
    const calls = `checks still fail after ${MOST_TRIES} tries of mine`;
    const notice = { to: source.requester.login, text: `${calls}. \`/ci\` lets me try again.`, calls };
    await tell(parts, asked, { number: pull.number, notice });
    return undefined;
  }
  const answer = await startFollowUp(parts, asked, {
    pull,
    request: { sender: source.requester, command: { options: {} } },
    workflow: "fix-ci",
    trigger: "checks",
    ...inputOf(await checksInput({ pull, report })),
  });
  // What waits for a person there says so itself.
  return answer.kind === "done" ? answer.thread : undefined;
};

/** Since somebody last asked for work there. */
const triesSoFar = async ({ engine: { store } }: IntakeParts, subject: string): Promise<number> => {
  const threads = await threadsAbout(store, subject);
  const starts = await store.loadAll(
    "thread-start",
    threads.map(({ start }) => start),
  );
  const asked = starts.findIndex(({ trigger }) => trigger !== "checks");
  return asked === -1 ? starts.length : asked;
};
