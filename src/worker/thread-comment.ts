import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../base/errors.ts";
import type { ThreadId } from "../base/ids.ts";
import type { Forge, ForgePlace, Forges } from "../forge/forge.ts";
import { threadMarker } from "../forge/text/marker.ts";
import { holdLease, type Lease } from "../store/hold-lease.ts";
import type { Store } from "../store/store.ts";

export type CommentParts = {
  store: Store;
  forges: Forges;
  /** This process, as holder of leases. */
  holder: string;
};

export type ThreadComment = { id: ThreadId; place: ForgePlace; issue: number; body: string };

const TRIES = 300;
const PAUSE_MS = 200;

/**
 * Edits the one comment that the thread has, finds it by its marker, or makes it; however many processes do so at once.
 * Throws `comment-busy` (retry), and what the forge throws.
 */
export const writeComment = async (parts: CommentParts, comment: ThreadComment): Promise<void> => {
  const { store, forges } = parts;
  const { id, place, body } = comment;
  const forge = await forges.open(place);
  const linked = await store.link(id, "comment");
  if (linked !== undefined && (await edited(forge, Number(linked), body))) return;
  const lease = await takeTurn(parts, `comment/${id}`);
  try {
    const since = await store.link(id, "comment");
    if (since !== undefined && since !== linked && (await edited(forge, Number(since), body))) return;
    const written = await findOrMake(forge, { comment, lease });
    await store.setLink(id, "comment", String(written));
  } finally {
    await lease.release();
  }
};

/** Of two that both took themselves for the first, the later one sees the other's comment and takes its own away. */
const findOrMake = async (
  forge: Forge,
  { comment: { id, issue, body }, lease }: { comment: ThreadComment; lease: Lease },
): Promise<number> => {
  const marker = threadMarker(id);
  const found = (await forge.findComment(issue, marker))?.id;
  if (found !== undefined && (await edited(forge, found, body))) return found;
  await lease.ensure();
  const made = (await forge.createComment(issue, body)).id;
  const oldest = (await forge.findComment(issue, marker))?.id ?? made;
  if (oldest === made || !(await edited(forge, oldest, body))) return made;
  await forge.deleteComment(made);
  return oldest;
};

/** Waits while another process finds or makes such a comment. Throws `comment-busy` (retry). */
export const takeTurn = async ({ store, holder }: CommentParts, key: string): Promise<Lease> => {
  const busy = () =>
    new AppError(`Another process is writing ${key}.`, { code: "comment-busy", remedy: "retry" });
  for (let tries = 1; ; tries++) {
    try {
      return await holdLease(store, { key, holder, busy, onLost: () => undefined });
    } catch (error) {
      if (!(error instanceof AppError && error.code === "comment-busy") || tries === TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
};

/** False when somebody deleted the comment. */
const edited = async (forge: Forge, comment: number, body: string): Promise<boolean> => {
  try {
    await forge.updateComment(comment, body);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "forge-missing") return false;
    throw error;
  }
};
