import { createHash } from "node:crypto";
import { plainName } from "../toolbox.ts";

/** Model providers take `[A-Za-z0-9_-]`, and no more than this. */
const MAX_LENGTH = 64;

/**
 * The name under which a model calls a server's tool: `docs_search` for `search` of `docs`. It depends on nothing else but the names that
 * are `taken` for good, so that a step that goes on elsewhere has the same names: what has to be changed, or means a tool of ours, ends
 * in six digits of its hash.
 */
export const modelNameOf = (
  { server, tool }: { server: string; tool: string },
  taken: readonly string[],
): string => {
  const whole = `${server}_${tool}`;
  const name = whole.replace(/[^A-Za-z0-9_-]/g, "_");
  const meansOurs = taken.some((ours) => plainName(ours) === plainName(name));
  if (name === whole && name.length <= MAX_LENGTH && !meansOurs) return name;
  const digits = createHash("sha256").update(whole).digest("hex").slice(0, 6);
  return `${name.slice(0, MAX_LENGTH - digits.length - 1)}_${digits}`;
};
