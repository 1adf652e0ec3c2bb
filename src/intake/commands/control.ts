import { AppError } from "../../base/errors.ts";
import { threadIdFor } from "../../base/ids.ts";
import { modelNamed } from "../../config/models.ts";
import { subjectOf } from "../../forge/keys.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import type { ThreadRecord } from "../../store/store.ts";
import { approvalIn, isAsking } from "../../thread/approval.ts";
import { cancelThread, pauseThread, resumeThread } from "../../thread/commands.ts";
import { isBroken } from "../../thread/conversation.ts";
import { forkThread } from "../../thread/fork.ts";
import { GO_ON } from "../../thread/moderator.ts";
import { requireRoom } from "../actor-limits.ts";
import { clearNotice } from "../notices.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { mayAsk } from "../permission.ts";
import { isUnderWay, threadsAbout } from "../subjects.ts";
import { type Answer, type Handler, type Request, STANDS, told } from "./request.ts";

const NOTHING = "Nothing is under way here. `/help` shows what can be done.";

export const stop: Handler = (parts, asked, request) =>
  change(parts, asked, {
    request,
    apply: (id) => cancelThread(parts.engine, id, `Stopped by ${request.sender.login}.`),
  });

export const pause: Handler = (parts, asked, request) =>
  change(parts, asked, {
    request,
    apply: (id) => pauseThread(parts.engine, id, `Paused by ${request.sender.login}.`),
  });

/**
 * A note for a plan that waits changes the plan; without one, there is nothing to go on with but its approval. A question is
 * answered by a note, and work that is done goes on with one: without, the same would be paid for again.
 */
export const resume: Handler = async (parts, asked, request) => {
  const { engine } = parts;
  const thread = await meant(parts, asked, { request, isMeant: ({ status }) => isUnderWay({ status }) });
  const last = thread ?? (await meant(parts, asked, { request, isMeant: () => true }));
  if (last === undefined) return told(NOTHING);
  const { command } = request;
  const note = command.note === "" && (await isBroken(engine.store, last)) ? GO_ON : command.note;
  if (note === "" && (await approvalIn(engine.store, last)) !== null)
    return told("The plan waits: `/approve` goes on with it, `/resume` with a note changes it.");
  if (note === "" && (await isAsking(engine.store, last)))
    return told("A question waits: `/resume` with your answer goes on.");
  if (note === "" && last.status === "completed")
    return told("That work is done. `/resume` with a note goes on with it.");
  const vain = await inVain(parts, asked, { login: request.sender.login, thread: last });
  if (vain !== null) return told(vain);
  return obeyed(parts, {
    request,
    thread: last,
    apply: (id) => resumeThread(engine, id, note === "" ? null : note),
  });
};

/** Goes on from a finished step in a thread of its own. */
export const fork: Handler = async (parts, asked, request) => {
  const thread = await meant(parts, asked, { request, isMeant: () => true });
  if (thread === undefined)
    return told("There is no work here to go on from. `/help` shows what can be done.");
  const vain = await inVain(parts, asked, { login: request.sender.login, thread });
  if (vain !== null) return told(vain);
  const { argument, note, options } = request.command;
  await request.seen();
  const key = { name: `${asked.id} fork`, at: asked.receivedAt };
  await requireRoomFor(parts, asked, { key, thread, request });
  const forked = await forkThread(parts.engine, thread.id, {
    at: argument ?? "",
    note: note === "" ? null : note,
    key,
    ...(options.model === undefined ? {} : { model: pinnedModel(parts, options.model) }),
  });
  return { kind: "done", thread: forked };
};

/** A fork is made in the name of whoever asked for the work. Throws `actor-busy` (fix-input). */
const requireRoomFor = async (
  { engine: { store, now }, config }: IntakeParts,
  { place }: Asked,
  { key, thread, request }: { key: { name: string; at: number }; thread: ThreadRecord; request: Request },
): Promise<void> => {
  if ((await store.thread(threadIdFor(key.name, { at: key.at }))) !== undefined) return;
  const { source } = await store.load("thread-start", thread.start);
  const login = source?.operator === true ? null : (source?.requester ?? request.sender).login;
  await requireRoom({ store, limits: config.limits.perActor, now: now() }, { place, login });
};

const pinnedModel = ({ config }: IntakeParts, asked: string) => {
  const model = asked === "default" ? config.defaultModel : asked;
  return { model, modelName: modelNamed(config, model).model.name };
};

export const status: Handler = async (parts, asked, request) => {
  const thread = await meant(parts, asked, { request, isMeant: () => true });
  if (thread === undefined) {
    const next = request.issue.isPullRequest
      ? "`/help` shows what can be done."
      : "`/solve` starts the work.";
    return told(`Nothing has been asked of me here yet. ${next}`);
  }
  await request.seen();
  await clearNotice(parts, thread.id);
  if (thread.subject === subjectOf(asked.place, request.issue.number)) return { kind: "done" };
  return told(`That work is shown in the comment on #${thread.subject?.split("#").at(-1)}.`);
};

/** Why work that goes on could not be published in the end, for people: whoever asked for it is asked about again then. */
export const inVain = async (
  { engine: { store }, log }: IntakeParts,
  { forge }: Asked,
  { login: asking, thread }: { login: string; thread: ThreadRecord },
): Promise<string | null> => {
  const { source } = await store.load("thread-start", thread.start);
  const login = source?.requester?.login;
  if (login === undefined || login === asking) return null;
  if (await mayAsk(forge, { login, isBot: false }, log)) return null;
  return `${inlineCode(login)} asked for this work, and may not write here any more: nothing of it would be published. Once it has ended, \`/retry\` starts over in your name.`;
};

/** What began after the word was written is not what was meant, however late the word comes; the forge's clock may be off. */
const CLOCKS_APART_MS = 60_000;

type Change = { request: Request; apply: (thread: ThreadRecord["id"]) => Promise<ThreadRecord> };

const change = async (parts: IntakeParts, asked: Asked, { request, apply }: Change): Promise<Answer> => {
  const isMeant = (thread: ThreadRecord): boolean =>
    isUnderWay(thread) && thread.createdAt <= request.at + CLOCKS_APART_MS;
  const thread = await meant(parts, asked, { request, isMeant });
  return thread === undefined ? told(NOTHING) : obeyed(parts, { request, thread, apply });
};

const obeyed = async (
  parts: IntakeParts,
  { request, thread, apply }: Change & { thread: ThreadRecord },
): Promise<Answer> => {
  // Before it is done: were it asked for again because the forge did not answer, it would seem to do nothing.
  await request.seen();
  try {
    const changed = await apply(thread.id);
    await clearNotice(parts, thread.id);
    return { kind: "done", thread: changed };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "thread-not-ready")) throw error;
    return told(idle(request, thread));
  }
};

/** Why a command does nothing now, and what becomes of its note. */
const idle = ({ command: { name, note } }: Request, { status }: ThreadRecord): string => {
  const text = `The work ${STANDS[status]}, so \`/${name}\` does nothing now.`;
  return name !== "resume" || note === ""
    ? text
    : `${text} The note was not taken: \`/pause\` first, then \`/resume\` with the note.`;
};

const meant = async (
  { engine }: IntakeParts,
  { place }: Asked,
  { request, isMeant }: { request: Request; isMeant: (thread: ThreadRecord) => boolean },
): Promise<ThreadRecord | undefined> =>
  (await threadsAbout(engine.store, subjectOf(place, request.issue.number))).find(isMeant);
