import { type AppError, inputError } from "../base/errors.ts";
import { ownTurn } from "../base/turns.ts";
import { MAX_READ_BYTES } from "./defuse.ts";
import type { EngineGit } from "./engine-git.ts";
import type { Mirror } from "./mirror-place.ts";
import { hasGitName, isReservedLinkName } from "./names.ts";
import type { RepositoryLimits } from "./repository-limits.ts";

/** Of paths in a work tree: what lies above it needs some as well. */
const LONGEST_PATH = 3_800;
const LONGEST_NAME = 255;
const LINK = "120000";
const SUBMODULE = "160000";
/** What git writes of one file besides its path. */
const LISTED_BYTES = 80;
const TYPICAL_PATH = 200;

/** What a checkout of a commit does not have. */
export type Missing = { submodules: string[]; largeFiles: boolean };

/**
 * Looks at a commit's files before any is written. Throws `repository-too-large` and `repository-unsupported` (fix-input)
 * for what cannot be checked out.
 */
export const requireCheckable = async (
  mirror: Mirror,
  { commit, git, limits }: { commit: string; git: EngineGit; limits: RepositoryLimits },
): Promise<Missing> => {
  const output = await git.bytes({
    args: ["ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", commit],
    gitDir: mirror.directory,
    maxOutputBytes: limits.files * (LISTED_BYTES + TYPICAL_PATH),
    onTooMuch: () => tooLarge(mirror, `more than ${limits.files.toLocaleString("en-US")} files`),
    objectBytes: limits.objectBytes,
  });
  const submodules: string[] = [];
  let [files, bytes, before] = [0, 0, ""];
  const turn = ownTurn();
  for (let start = 0; start < output.length; ) {
    if (turn.isOver()) await turn.next();
    const end = output.indexOf(0, start);
    const tab = output.indexOf("\t", start);
    const path = output.toString("utf8", tab + 1, end);
    const mode = output.toString("latin1", start, start + LINK.length);
    const size = Number(output.toString("latin1", output.lastIndexOf(" ", tab), tab)) || 0;
    const why = whyUnsupported(path, { mode, size, length: end - tab - 1 });
    if (why !== null) throw unsupported(mirror, why);
    if (path === before) throw unsupported(mirror, `the file ${JSON.stringify(path)} twice`);
    if (mode === SUBMODULE) submodules.push(path);
    bytes += size;
    files++;
    before = path;
    start = end + 1;
  }
  if (files > limits.files) throw tooLarge(mirror, `more than ${limits.files.toLocaleString("en-US")} files`);
  if (bytes > limits.fileBytes)
    throw tooLarge(mirror, `files of more than ${Math.floor(limits.fileBytes / 1024 ** 2)} MiB together`);
  return { submodules, largeFiles: await usesLargeFiles(mirror, { commit, git }) };
};

/** Git LFS keeps the files' contents elsewhere; here are only pointers to them. */
const usesLargeFiles = async (
  mirror: Mirror,
  { commit, git }: { commit: string; git: EngineGit },
): Promise<boolean> => {
  const args = ["grep", "-q", "-F", "filter=lfs", commit, "--", ":(top,glob)**/.gitattributes"];
  return (await git.run({ args, gitDir: mirror.directory })).exitCode === 0;
};

const whyUnsupported = (
  path: string,
  { mode, size, length }: { mode: string; size: number; length: number },
): string | null => {
  const shown = JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path);
  const names = path.split("/");
  if (hasGitName(path) || names.some((name) => name === "" || name === "." || name === ".."))
    return `${shown}, which git refuses to check out`;
  if (mode === LINK && isReservedLinkName(path)) return `a link ${shown}, which git refuses to check out`;
  if (size > MAX_READ_BYTES && /(^|\/)\.git[^/]*$/.test(path))
    return `${shown} of more than ${MAX_READ_BYTES / 1024 ** 2} MiB, which git would have to read whole`;
  if (length > LONGEST_PATH || names.some((name) => name.length > LONGEST_NAME / 4 && isTooLong(name)))
    return `a path that is too long for a file system: ${shown}`;
  return null;
};

const isTooLong = (name: string): boolean => Buffer.byteLength(name) > LONGEST_NAME;

const tooLarge = ({ repository }: Mirror, what: string): AppError =>
  inputError("repository-too-large", `${repository} has ${what}: too much to check out.`);

const unsupported = ({ repository }: Mirror, what: string): AppError =>
  inputError("repository-unsupported", `${repository} has ${what}.`, "Rename or remove it there.");
