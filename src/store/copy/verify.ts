import { AppError } from "../../base/errors.ts";
import { firstDifference, takeInventory } from "./inventory.ts";
import { firstNodeNotIn, firstWithoutRefs } from "./nodes.ts";
import type { Progress, Sides } from "./side.ts";

/** Reads everything back. Throws `copy-differs` (retry), which names what is not the same on both sides. */
export const requireEqual = async (
  { from, to }: Sides,
  { nodes, progress }: { nodes: number; progress: Progress },
): Promise<void> => {
  const found = await firstNodeNotIn({ some: from.store, whole: to.store }, (done) =>
    progress("verify", done, nodes),
  );
  if (found.missing !== undefined) throw differs(`node ${found.missing} did not reach ${to.name} as it is`);
  const refs = await firstWithoutRefs(to.store);
  if (refs.broken !== undefined) throw differs(`node ${refs.broken} lost a reference in ${to.name}`);
  if (found.nodes !== nodes) throw differs(`nodes were added to ${from.name} meanwhile`);
  if (refs.nodes !== nodes) throw differs(`${to.name} has ${refs.nodes} nodes, ${from.name} has ${nodes}`);
  const [source, target] = [await takeInventory(from.store), await takeInventory(to.store)];
  const different = firstDifference(source, target) ?? firstDifference(target, source);
  if (different !== undefined)
    throw differs(`${different.kind} ${different.key} is not the same in both stores`);
};

const differs = (what: string): AppError =>
  new AppError(`${what}: the copy is not whole`, {
    code: "copy-differs",
    remedy: "retry",
    hint: "Something wrote to one of the stores while they were copied. Stop it, then copy again.",
  });
