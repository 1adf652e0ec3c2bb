import { createHash } from "node:crypto";
import { configError } from "../../base/errors.ts";
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

/** Throws `mcp-tools` (fix-config) where tools of two servers have names that a model could take for each other's. */
export const requireApart = (servers: readonly { server: string; names: readonly string[] }[]): void => {
  const known = new Map<string, { server: string; name: string }>();
  for (const { server, names } of servers)
    for (const name of names) {
      const other = known.get(plainName(name));
      known.set(plainName(name), { server, name });
      if (other === undefined || other.server === server) continue;
      const both = other.name === name ? name : `${other.name} and ${name}`;
      throw configError(
        "mcp-tools",
        `the MCP servers "${other.server}" and "${server}" have tools that a model could not tell apart: ${both}`,
        `Give one of the servers another name in config.yaml, leave the tool out with its \`tools\`, or give them to different roles.`,
      );
    }
};
