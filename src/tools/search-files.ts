import { z } from "zod";
import { missingPath, workspacePath } from "./paths.ts";
import { type Found, type Searcher, SearchFailure, searcher } from "./search/find-lines.ts";
import { globMatcher } from "./search/glob.ts";
import { type FileCount, type Hit, MAX_HITS, SearchTimeout } from "./search/search-program.ts";
import { showHits } from "./search/show-hits.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "./tool.ts";

const MAX_MS = 30_000;

export const searchFiles = defineTool({
  name: "search_files",
  description:
    "Search the contents of files for a regular expression, line by line; case counts unless it begins with (?i). " +
    "Hidden files are searched, ignored ones and .git are not. Shows up to 100 hits with line numbers, in path " +
    "order, and the total; for up to 3 hits the lines around them too.",
  effect: "read",
  input: z.object({
    pattern: z.string().min(1).describe("A regular expression for a part of one line."),
    path: z.string().min(1).optional().describe("Folder or file to search in. Default: the whole workspace."),
    glob: z.string().min(1).optional().describe("Only files that fit, e.g. *.ts or src/**/*.{js,ts}."),
  }),
  run: async ({ pattern, path: asked, glob }, context) => {
    const path = workspacePath(context.workspace, asked ?? ".");
    if (path !== "." && (await context.workspace.files.stat(path)) === undefined)
      return { ok: false, text: await missingPath(context.workspace, path) };
    if (/[\r\n]|(?<!\\)(?:\\\\)*\\n/.test(pattern))
      return {
        ok: false,
        text: "The search goes line by line: a pattern cannot have a line end. Search for one of the lines.",
      };
    try {
      const search = await searcher(context, Date.now() + MAX_MS);
      return await answer({ pattern, path, glob: glob ?? null, search, context });
    } catch (error) {
      if (error instanceof SearchTimeout) return { ok: false, text: timeoutText };
      if (error instanceof SearchFailure)
        return { ok: false, text: `The search failed: ${error.message}\nshell_exec with grep may do.` };
      throw error;
    }
  },
});

const timeoutText =
  "The search took longer than 30 s and was stopped. Give a folder as path, or a pattern with a fixed word in it.";

type Job = { pattern: string; path: string; glob: string | null; search: Searcher; context: ToolContext };

const answer = async (job: Job): Promise<ToolAnswer> => {
  const found = await job.search(job.pattern, job.path, {});
  const notes =
    found.badPattern === null
      ? []
      : [`Not a regular expression (${found.badPattern}): searched for the text as it stands.`];
  if (totalOf(found.counts) === 0) return nothingFound(job, found, notes);
  const fitting = job.glob === null ? found.counts : found.counts.filter(fits(job.glob));
  if (fitting.length > 0) return shownHits(job, { ...found, counts: fitting }, notes);
  const hidden = `No hits in files that fit the glob ${job.glob}. It hides ${amount(found.counts)}, e.g. in ${first(found.counts)}.`;
  return { ok: true, text: [...notes, hidden].join("\n") };
};

const fits = (glob: string): ((count: FileCount) => boolean) => {
  const matches = globMatcher(glob);
  return ({ path }) => matches(path);
};

/** The pattern may have been meant literally, or the hits may be in ignored files. */
const nothingFound = async (job: Job, found: Found, notes: readonly string[]): Promise<ToolAnswer> => {
  const where = job.path === "." ? "" : ` in ${job.path}`;
  const none = `No hits for ${JSON.stringify(job.pattern)}${where}.`;
  const fitting = job.glob === null ? () => true : fits(job.glob);
  const narrowed = async (how: Parameters<Searcher>[2]): Promise<Found> => {
    const more = await job.search(job.pattern, job.path, how);
    return { ...more, counts: more.counts.filter(fitting) };
  };
  if (found.query.syntax === "regex" && /[\\^$.|?*+()[\]{}]/.test(job.pattern)) {
    const literal = await narrowed({ syntax: "literal" });
    const note = "No hits as a regular expression; these are for the text as it stands.";
    if (totalOf(literal.counts) > 0) return shownHits(job, literal, [...notes, note]);
  }
  const ignored = await narrowed({ syntax: found.query.syntax, ignored: "include" });
  if (totalOf(ignored.counts) === 0) return { ok: true, text: [...notes, none].join("\n") };
  if (job.path !== ".")
    return shownHits(job, ignored, [...notes, "These are in files that ignore rules hide."]);
  const hidden = `${none} Ignore rules hide ${amount(ignored.counts)}, e.g. in ${first(ignored.counts)}; give the file or folder as path to search it.`;
  return { ok: true, text: [...notes, hidden].join("\n") };
};

const shownHits = async ({ context }: Job, found: Found, notes: readonly string[]): Promise<ToolAnswer> => {
  const counts = inPathOrder(found.counts);
  const total = totalOf(counts);
  const files: string[] = [];
  for (let lines = 0, i = 0; lines < MAX_HITS && i < counts.length; i++) {
    lines += counts[i]?.lines ?? 0;
    files.push(counts[i]?.path ?? "");
  }
  const outcome = await found.program.hits(found.query, files);
  if (outcome.kind === "bad-pattern") throw new SearchFailure(outcome.reason);
  const hits = sorted(outcome.found).slice(0, MAX_HITS);
  const around = total === 1 ? 50 : total <= 3 ? 15 : 0;
  const shown = await showHits(context.workspace, hits, { around });
  const least = found.complete ? "" : "at least ";
  const rest =
    total > hits.length
      ? `\n\n(The first ${hits.length} of ${least}${total.toLocaleString("en-US")}. Narrow the pattern, path or glob to see others.)`
      : "";
  const head = `${least}${amount(counts)}:`;
  return { ok: true, text: `${[...notes, head].join("\n")}\n\n${shown.text}${rest}`, seen: shown.seen };
};

const totalOf = (counts: readonly FileCount[]): number => counts.reduce((sum, { lines }) => sum + lines, 0);

const amount = (counts: readonly FileCount[]): string => {
  const hits = totalOf(counts);
  const files = counts.length;
  return `${hits.toLocaleString("en-US")} ${hits === 1 ? "hit" : "hits"} in ${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`;
};

const first = (counts: readonly FileCount[]): string => inPathOrder(counts)[0]?.path ?? "";

const byPath = (a: { path: string }, b: { path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
const inPathOrder = (counts: readonly FileCount[]): FileCount[] => [...counts].sort(byPath);
const sorted = (hits: readonly Hit[]): Hit[] => [...hits].sort((a, b) => byPath(a, b) || a.line - b.line);
