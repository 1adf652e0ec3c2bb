import { hideTimes, type RunTimes } from "./hide-times.ts";

/** Who wrote a text: a program, which prints the time and how long it took, or the engine's own tools, which do not. */
export type Writer = "program" | "engine";

/**
 * A text without what necessarily differs between two runs: where the workspace lies, and of a program's output the times of the
 * run, temporary names, process ids and the names of commits that were made in it. Numbers that could be a result stay.
 */
export const comparable = (
  text: string,
  { writer, runs }: { writer: Writer; runs: readonly RunTimes[] },
): string => {
  const placed = text.replace(WORKSPACE, "").replace(KEPT, "/output/<kept>.txt").replace(LEFT_OUT, "$1<…>");
  return writer === "engine" ? placed : hideTimes(hideNames(placed), runs);
};

/** Where a thread's directories are, for commands that see this machine's paths; in a sandbox they are at the root. */
const WORKSPACE = /(?:\/[^\s/"'`:;,()<>|]+){0,40}\/workspaces\/[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/** Outputs that were too long are kept by their contents, which have times in them. */
const KEPT = /\/output\/[0-9a-f]{16}\.txt/g;
const LEFT_OUT = /(\[… [\d,]+ lines )\([\d,]+ characters\)/g;

const hideNames = (text: string): string =>
  text
    // As mktemp, Python, Node and Go name them.
    .replace(/(\/tmp\/)tmp(?:\.[A-Za-z0-9]{10}|[a-z0-9_]{8})(?![A-Za-z0-9_])/g, "$1<name>")
    .replace(/(\/tmp\/[\w.-]*?[.-])(?=[A-Za-z0-9]{0,5}[A-Z0-9])[A-Za-z0-9]{6}(?![A-Za-z0-9_])/g, "$1<name>")
    .replace(/(\/tmp\/go-build)\d+/g, "$1<name>")
    .replace(/\(node:\d+\)/g, "(node:<pid>)")
    .replace(/\bpid([ =:]+)\d+/gi, "pid$1<pid>")
    // As `git commit` reports it.
    .replace(/^\[(\S+(?: \(root-commit\))?) [0-9a-f]{7,40}\] /gm, "[$1 <commit>] ");
