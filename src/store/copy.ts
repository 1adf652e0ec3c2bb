import { requireIdle, requireSound } from "./copy/condition.ts";
import { takeInventory } from "./copy/inventory.ts";
import { copyNodes } from "./copy/nodes.ts";
import { copyRecords } from "./copy/records.ts";
import { requirePartOf } from "./copy/refusal.ts";
import type { Progress, Sides } from "./copy/side.ts";
import { requireEqual } from "./copy/verify.ts";

export type CopyCounts = {
  nodes: number;
  threads: number;
  links: number;
  workflows: number;
  deliveries: number;
  /** Of a thread and a period each. */
  reservations: number;
  /** Conversations with the designer, and the files that they made or began with. */
  sessions: number;
  designs: number;
};

/**
 * Copies everything but leases and workers into a store that has nothing, or nothing else: nodes refs first, then what
 * points to them, threads last. Every write may be made again, so a copy that was cut off anywhere is finished by the
 * next one. At the end every node is read back and hashed, and all else compared; only then does it answer.
 *
 * Throws, before it writes: `store-in-use` (retry), `store-damaged`, `copy-target` (fix-input); after it wrote:
 * `copy-differs` (retry).
 */
export const copyStore = async (sides: Sides, progress: Progress = () => undefined): Promise<CopyCounts> => {
  const { from, to } = sides;
  const requireBothIdle = async () => {
    await requireIdle(from);
    await requireIdle(to);
  };
  await requireBothIdle();
  progress("check", 0, null);
  await requireSound(from);
  await requireSound(to);
  const [source, target] = [await takeInventory(from.store), await takeInventory(to.store)];
  await requirePartOf(sides, { source, target }, progress);

  const nodes = await copyNodes({ from: from.store, to: to.store }, (done) => progress("nodes", done, null));
  progress("records", nodes, nodes);
  await copyRecords({ from: from.store, to: to.store }, target);

  await requireEqual(sides, { nodes, progress });
  await requireBothIdle();
  return {
    nodes,
    threads: source.thread.size,
    links: source.link.size,
    workflows: source.workflow.size,
    deliveries: source.delivery.size,
    reservations: source.reservation.size,
    sessions: source.session.size,
    designs: source.design.size,
  };
};
