import { type AppError, inputError } from "../../base/errors.ts";
import { type Difference, firstDifference, type Inventory } from "./inventory.ts";
import { firstNodeNotIn } from "./nodes.ts";
import type { Progress, Sides } from "./side.ts";

/**
 * A target that has nothing, or nothing but what an earlier copy brought there. Throws `copy-target` (fix-input), which names
 * what the source has not.
 */
export const requirePartOf = async (
  { from, to }: Sides,
  { source, target }: { source: Inventory; target: Inventory },
  progress: Progress,
): Promise<void> => {
  const refused = (what: string): AppError =>
    inputError(
      "copy-target",
      `${to.name} ${what}`,
      "Copy into an empty store, or into one that nothing but an interrupted copy has written to.",
    );
  const extra = firstDifference(target, source);
  if (extra !== undefined) throw refused(describe(extra, from.name));
  const { missing } = await firstNodeNotIn({ some: to.store, whole: from.store }, (done) =>
    progress("compare", done, null),
  );
  if (missing !== undefined) throw refused(`has node ${missing}, which ${from.name} has not`);
};

const describe = ({ kind, key, what }: Difference, other: string): string =>
  what === "missing"
    ? `has ${kind} ${key}, which ${other} has not`
    : `has another ${kind} ${key} than ${other}`;
