import type { Log } from "../base/log.ts";
import { placeOf } from "../forge/keys.ts";
import { liveComment } from "../forge/text/live-comment.ts";
import type { ThreadRecord } from "../store/store.ts";
import { commentUrl } from "./forge-urls.ts";
import type { Shown } from "./shown-threads.ts";
import { readSituation } from "./situation.ts";
import { settleCall } from "./thread-call.ts";
import { commitsOf, showChecks } from "./thread-checks.ts";
import { type CommentParts, writeComment } from "./thread-comment.ts";
import { threadView } from "./thread-view.ts";
import { showTurns } from "./turn-comments.ts";

export type ShowParts = CommentParts & { log: Log; now: () => number };

/**
 * Shows a thread as its record says: in its comment and those of its conversation, on its commits, and by calling a person where one
 * is needed. Throws
 * what the forge throws; what was shown already is left alone when it is asked again. A thread that plays a role in another one
 * is shown there.
 */
export const showThread = async (parts: ShowParts, record: ThreadRecord, shown: Shown): Promise<void> => {
  const { store, forges, log, now } = parts;
  const { source, parentThread } = await store.load("thread-start", record.start);
  if (parentThread !== null) return;
  const place = source === null ? null : placeOf(source);
  const issue = source?.issue.number ?? null;
  if (source === null || place === null || issue === null) return;
  const situation = await readSituation(store, record);
  const view = await threadView(store, situation, now());
  const body = liveComment(view);
  if (body !== shown.body) await writeComment(parts, { id: record.id, place, issue, body });
  shown.body = body;
  const [comment, forge, commits] = await Promise.all([
    store.link(record.id, "comment"),
    forges.open(place),
    commitsOf(store, situation),
  ]);
  const url = comment === undefined ? null : commentUrl(source, comment);
  const { call } = situation.links;
  const done = await Promise.allSettled([
    showTurns(parts, { situation, view, forge, issue }),
    settleCall(parts, { record, view, forge, issue, url, call }),
    showChecks(log, { commits, view, forge, url, written: shown.checks }),
  ]);
  for (const each of done) if (each.status === "rejected") throw each.reason;
};
