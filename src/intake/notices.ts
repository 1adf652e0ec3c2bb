import type { ThreadId } from "../base/ids.ts";
import { subjectOf } from "../forge/keys.ts";
import { type Notice, noticeComment, noticeMarker } from "../forge/text/notice.ts";
import { holdLease } from "../store/hold-lease.ts";
import { subjectBusy } from "./alone.ts";
import type { Asked, IntakeParts } from "./parts.ts";
import { threadsAbout } from "./subjects.ts";

/**
 * Tells somebody what became of a command where it was given: in the live comment of the newest thread that has one there, else in one
 * comment that all such answers share. The last answer stands there.
 */
export const tell = async (
  parts: Pick<IntakeParts, "engine" | "refresh">,
  asked: Pick<Asked, "forge" | "place">,
  { number, notice }: { number: number; notice: Notice },
): Promise<void> => {
  const { store } = parts.engine;
  const subject = subjectOf(asked.place, number);
  const thread = (await threadsAbout(store, subject)).find((each) => each.subject === subject);
  if (thread === undefined) return tellAlone(parts, asked, { subject, number, notice });
  await store.setLink(thread.id, "notice", JSON.stringify(notice));
  parts.refresh(thread.id);
};

/** Takes an answer back: something was obeyed since. */
export const clearNotice = async ({ engine, refresh }: IntakeParts, thread: ThreadId): Promise<void> => {
  const before = await engine.store.link(thread, "notice");
  if (before !== undefined && before !== "") await engine.store.setLink(thread, "notice", "");
  refresh(thread);
};

const tellAlone = async (
  { engine }: Pick<IntakeParts, "engine">,
  { forge }: Pick<Asked, "forge">,
  { subject, number, notice }: { subject: string; number: number; notice: Notice },
): Promise<void> => {
  const { store, holder } = engine;
  const busy = () => subjectBusy(`Another process is answering on ${subject}.`);
  const lease = await holdLease(store, { key: `notice/${subject}`, holder, onLost: () => undefined, busy });
  try {
    const body = noticeComment(notice);
    const there = await forge.findComment(number, noticeMarker);
    await lease.ensure();
    if (there === undefined) await forge.createComment(number, body);
    else if (there.body !== body) await forge.updateComment(there.id, body);
  } finally {
    await lease.release();
  }
};
