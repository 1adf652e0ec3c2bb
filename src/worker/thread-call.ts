import { z } from "zod";
import type { Forge } from "../forge/forge.ts";
import { callComment, callMarker, reasonToCall } from "../forge/text/call.ts";
import type { ThreadView } from "../forge/text/thread-view.ts";
import type { Lease } from "../store/hold-lease.ts";
import { stampOf, type ThreadRecord } from "../store/store.ts";
import { type CommentParts, takeTurn } from "./thread-comment.ts";

/** `comment` is null from before the comment is made until it is known. */
const CallLink = z.object({ comment: z.int().nullable(), stamp: z.string() });
type CallLink = z.output<typeof CallLink>;

export type Calling = {
  record: ThreadRecord;
  view: ThreadView;
  forge: Forge;
  issue: number;
  /** Of the live comment. */
  url: string | null;
  /** The thread's link. */
  call: string | undefined;
};

/**
 * Calls the requester where a person is needed, by a comment of its own, once for each time that the thread stands still; takes the
 * comment away when it goes on. Throws `comment-busy` (retry), and what the forge throws.
 */
export const settleCall = async (parts: CommentParts, calling: Calling): Promise<void> => {
  const { record, view } = calling;
  const reason = view.requester === null ? null : reasonToCall(view);
  if (isSettled(calling, { call: read(calling.call), isCalled: reason !== null })) return;
  const { store } = parts;
  const lease = await takeTurn(parts, `call/${record.id}`);
  try {
    const now = await store.thread(record.id);
    const call = read(await store.link(record.id, "call"));
    // Whoever has moved the thread since shows it.
    if (now?.status !== record.status || isSettled(calling, { call, isCalled: reason !== null })) return;
    if (reason === null) await takeBack(parts, { ...calling, call });
    else if (stampOf(now) === stampOf(record)) await make(parts, { ...calling, reason, lease });
  } finally {
    await lease.release();
  }
};

const read = (link: string | undefined): CallLink | null =>
  link === undefined || link === "" ? null : CallLink.parse(JSON.parse(link));

const isSettled = (
  { record }: Calling,
  { call, isCalled }: { call: CallLink | null; isCalled: boolean },
): boolean => (isCalled ? call?.stamp === stampOf(record) && call.comment !== null : call === null);

const takeBack = async (
  { store }: CommentParts,
  { record, forge, issue, call }: Omit<Calling, "call"> & { call: CallLink | null },
): Promise<void> => {
  const comment = call?.comment ?? (await forge.findComment(issue, callMarker(record.id)))?.id;
  if (comment !== undefined) await forge.deleteComment(comment);
  await store.setLink(record.id, "call", "");
};

/** The link says that there may be a comment before there is one: a process that dies in between leaves none unknown. */
const make = async (
  { store }: CommentParts,
  { record, view, forge, issue, url, reason, lease }: Calling & { reason: string; lease: Lease },
): Promise<void> => {
  const stamp = stampOf(record);
  const keep = (comment: number | null) =>
    store.setLink(record.id, "call", JSON.stringify({ comment, stamp } satisfies CallLink));
  await keep(null);
  const found = await forge.findComment(issue, callMarker(record.id));
  if (found?.body.includes(callMarker(record.id, stamp))) return keep(found.id);
  if (found !== undefined) await forge.deleteComment(found.id);
  await lease.ensure();
  const text = { thread: record.id, stamp, to: view.requester ?? "", reason, url };
  const { id } = await forge.createComment(issue, callComment(text));
  await keep(id);
};
