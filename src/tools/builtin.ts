import { inputError } from "../base/errors.ts";
import { casGet } from "./cas-get.ts";
import { gitDiff } from "./git-diff.ts";
import { gitLog } from "./git-log.ts";
import { gitShow } from "./git-show.ts";
import { listFiles } from "./list-files.ts";
import { nearestNames } from "./nearest-names.ts";
import { patchFile } from "./patch-file.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search-files.ts";
import { shellExec } from "./shell-exec.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./write-file.ts";

/** In the order in which models see them; it never changes within a thread, for the prompt cache. */
export const builtinTools: readonly Tool[] = [
  readFile,
  writeFile,
  patchFile,
  shellExec,
  searchFiles,
  listFiles,
  gitLog,
  gitDiff,
  gitShow,
  casGet,
];

/**
 * The tools that a role names, in the order above; null: every one. `more`: tools beside the built-in ones. Throws
 * `tool-unknown` (fix-input) for a name that nothing has.
 */
export const toolsNamed = (names: readonly string[] | null, more: readonly Tool[] = []): Tool[] => {
  const all = [...builtinTools, ...more];
  if (names === null) return all;
  const known = all.map((tool) => tool.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw inputError(
      "tool-unknown",
      `There is no tool ${JSON.stringify(unknown)}.`,
      `The nearest: ${nearestNames(unknown, known, { count: 3 }).join(", ")}.`,
    );
  return all.filter((tool) => names.includes(tool.name));
};
