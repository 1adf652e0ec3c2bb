import { setImmediate as nextTurn } from "node:timers/promises";
import { inputError } from "../base/errors.ts";
import type { Redact } from "../base/redact.ts";
import type { PublishedTree } from "./published-tree.ts";
import type { Workspaces } from "./workspace.ts";

/** Looked at in one go; then others have their turn. */
const PIECE = 512 * 1024;
/** No form of a secret is longer. */
const OVERLAP = 32 * 1024;
const SHOWN = 10;

/** Workspaces from which no secret of this process is pushed: not in a commit's message, and not in a file. */
export const redactedWorkspaces = (workspaces: Workspaces, redact: Redact): Workspaces => ({
  ...workspaces,
  push: (thread, captured, commit, remote, options) =>
    workspaces.push(thread, captured, { ...commit, message: redact(commit.message) }, remote, {
      ...options,
      examine: async (tree) => {
        await requireNoSecret(tree, redact);
        await options.examine(tree);
      },
    }),
});

/** A role is given none, so that whoever put it there has found a way: a person has to look. */
const requireNoSecret = async (tree: PublishedTree, redact: Redact): Promise<void> => {
  const found: string[] = [];
  for (const { path, mode, object } of tree.changes) {
    if (mode === null || mode === SUBMODULE) continue;
    if (redact(path) !== path || (await holdsSecret(await tree.bytes(object), redact)))
      found.push(redact(path));
  }
  if (found.length === 0) return;
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : "";
  throw inputError(
    "secret-in-files",
    `The work holds a token or key of this server, so nothing was published: ${found.slice(0, SHOWN).join(", ")}${more}.`,
    "Find out how it got there, and replace that token or key. Then say in a note that the files must not hold it, and resume.",
  );
};

const SUBMODULE = "160000";

const holdsSecret = async (bytes: Buffer, redact: Redact): Promise<boolean> => {
  for (let at = 0; at < bytes.length; at += PIECE) {
    const text = bytes.toString("utf8", at, at + PIECE + OVERLAP);
    if (redact(text) !== text) return true;
    if (bytes.length > PIECE) await nextTurn();
  }
  return false;
};
