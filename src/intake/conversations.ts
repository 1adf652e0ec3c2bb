import { z } from "zod";
import { AppError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import { MAX_MESSAGE } from "../config/designer-config.ts";
import type { Commented, ForgeEvent } from "../forge/events.ts";
import { subjectOf } from "../forge/keys.ts";
import { isPausedByPerson } from "../forge/text/paused-by-person.ts";
import { shownMarkdown } from "../forge/text/shown/shown-text.ts";
import { type Store, stampOf, type ThreadRecord } from "../store/store.ts";
import { resumeThread } from "../thread/commands.ts";
import { isConversation } from "../thread/conversation.ts";
import { isRunnable } from "../thread/state.ts";
import { unheard } from "./actors.ts";
import { alone, subjectBusy } from "./alone.ts";
import { inVain } from "./commands/control.ts";
import { clearNotice, tell } from "./notices.ts";
import type { Asked, IntakeParts, Outcome } from "./parts.ts";
import { mayAsk } from "./permission.ts";
import { react } from "./react.ts";
import { UNDER_WAY } from "./subjects.ts";

type Reader = Pick<Store, "threads" | "load" | "loadAll">;

/** The newest work that is under way there, where that is a conversation; undefined: nothing is, or it is other work. */
const conversationOn = async (store: Reader, subject: string): Promise<ThreadRecord | undefined> => {
  const [thread] = await store.threads({ subject, status: UNDER_WAY, limit: 1 });
  return thread !== undefined && (await isConversation(store, thread)) ? thread : undefined;
};

/** Whether the event is a comment of a person where a conversation is under way, whatever it says. */
export const isSaidInConversation = async (store: Reader, event: ForgeEvent): Promise<boolean> =>
  event.kind === "commented" &&
  !event.sender.isBot &&
  !event.issue.isPullRequest &&
  (await conversationOn(store, subjectOf(event, event.issue.number))) !== undefined;

/** Between two looks whether the turn that is under way has ended. */
const LEAST_PAUSE_MS = 2_000;
const MOST_PAUSE_MS = 10_000;
/** Who has waited for so many pauses waits for a longer one: a turn may wait for hours itself. */
const PAUSES = 8;

/**
 * Lets the conversation that waits on the issue, or stands at a limit, go on with what the comment says, once, where its author may ask;
 * others' are passed over in silence. While a turn is under way, the comment of who may ask waits for its own: throws `subject-busy` (retry).
 */
export const hearComment = async (parts: IntakeParts, asked: Asked, event: Commented): Promise<Outcome> => {
  const { issue, comment, sender } = event;
  const { engine, actors } = parts;
  const subject = subjectOf(asked.place, issue.number);
  const thread = issue.isPullRequest ? undefined : await conversationOn(engine.store, subject);
  if (thread === undefined || (await wasHeard(engine.store, { thread, comment: comment.id })))
    return undefined;
  const waits = isRunnable(thread.status);
  const actor = { place: asked.place, sender, id: asked.id };
  if (actors.isRefused(actor)) return undefined;
  if (await actors.isUnheard(actor)) return undefined;
  if (!(waits && actors.mayWait(actor))) {
    if (!(await mayAsk(asked.forge, sender, parts.log))) {
      actors.refuse(actor);
      return undefined;
    }
    actors.letWait(actor);
  }
  const heard = (await actors.hear(actor)) === "heard";
  if (waits && heard) throw itsTurn(parts, asked, thread);
  const said = (await shownMarkdown(comment.body)).text.trim();
  if (heard && said === "") return undefined;
  const why = heard
    ? await whyNot(parts, asked, { said, login: sender.login, thread })
    : unheard(parts.config.limits.perActor.heardPerHour);
  if (why === null) return goOn(parts, asked, { subject, comment: comment.id, said });
  await tell(parts, asked, { number: issue.number, notice: { to: sender.login, text: why } });
  return undefined;
};

/** Why a comment leads to nothing, for people; null where it does not. */
const whyNot = async (
  parts: IntakeParts,
  asked: Asked,
  { said, login, thread }: { said: string; login: string; thread: ThreadRecord },
): Promise<string | null> => {
  if (isHeld(thread)) return HELD;
  const note = noteWith(thread, said);
  return note.length > MAX_MESSAGE ? tooLong(note) : inVain(parts, asked, { login, thread });
};

/** Somebody wanted that nothing happens. */
const isHeld = (thread: ThreadRecord): boolean => thread.status === "paused" && isPausedByPerson(thread);

const HELD =
  "The conversation is paused, and hears nothing meanwhile. `/resume` with what you have to say goes on with it.";

/** What no turn has taken yet is not lost. */
const noteWith = ({ note }: ThreadRecord, said: string): string =>
  note === null || note === "" ? said : `${note}\n\n${said}`;

/** What is more than can be heard at once, for people. */
export const tooLong = ({ length }: string): string =>
  `That has ${length.toLocaleString("en-US")} characters, and a conversation takes ${MAX_MESSAGE.toLocaleString("en-US")} at once. Say it in parts.`;

type Said = { subject: string; comment: number; said: string };

/** One at a time, and what is said is noted before the thread goes on: who dies in between finds it so, and does not say it twice. */
const goOn = (parts: IntakeParts, asked: Asked, { subject, comment, said }: Said): Promise<Outcome> => {
  const { store, holder } = parts.engine;
  return alone({ store, holder }, { subject, signal: asked.signal }, async ({ confirm }) => {
    const thread = await conversationOn(store, subject);
    if (thread === undefined || (await wasHeard(store, { thread, comment }))) return undefined;
    if (isRunnable(thread.status) || isHeld(thread)) throw itsTurn(parts, asked, thread);
    await react({ forge: asked.forge, log: parts.log }, { comment }, "eyes");
    const before = await heardBy(store, thread.id);
    const note = (heard: typeof before) => store.setLink(thread.id, "heard", JSON.stringify(heard));
    await confirm();
    await note([...before, { comment, stamp: stampOf(thread) }].slice(-MOST_NOTED));
    try {
      const resumed = await resumeThread(parts.engine, thread.id, noteWith(thread, said));
      await clearNotice(parts, thread.id);
      return resumed;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "thread-not-ready")) throw error;
      // A command was obeyed a moment before.
      await note(before);
      throw itsTurn(parts, asked, thread);
    }
  });
};

const Heard = z.array(z.object({ comment: z.int(), stamp: z.string() }));
const MOST_NOTED = 20;

const heardBy = async (store: Pick<Store, "link">, id: ThreadId): Promise<z.output<typeof Heard>> =>
  Heard.parse(JSON.parse((await store.link(id, "heard")) ?? "[]"));

/** Noted where the thread still waits as it did then, it was not heard yet. */
const wasHeard = async (
  store: Pick<Store, "link">,
  { thread, comment }: { thread: ThreadRecord; comment: number },
): Promise<boolean> => {
  const noted = (await heardBy(store, thread.id)).find((each) => each.comment === comment);
  return noted !== undefined && noted.stamp !== stampOf(thread);
};

const itsTurn = ({ engine }: IntakeParts, { receivedAt }: Asked, { id }: ThreadRecord): AppError => {
  const pauseMs = Math.max((engine.now() - receivedAt) / PAUSES, LEAST_PAUSE_MS);
  return subjectBusy(
    `Thread ${id} takes its turn in the conversation; this is heard after it.`,
    Math.round(Math.min(pauseMs, MOST_PAUSE_MS)),
  );
};
