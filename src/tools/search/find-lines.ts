import { commandEnvironment } from "../command-environment.ts";
import type { ToolContext } from "../tool.ts";
import {
  type FileCount,
  gitGrep,
  type Outcome,
  type Query,
  ripgrep,
  type SearchProgram,
  searchProgram,
} from "./search-program.ts";

/** Which files have matching lines, and with what they were found: the hits are to be asked of the same. */
export type Found = {
  program: SearchProgram;
  query: Query;
  counts: readonly FileCount[];
  complete: boolean;
  /** Why the pattern was not taken as a regular expression. */
  badPattern: string | null;
};

export type Searcher = (pattern: string, path: string, how: Partial<Query>) => Promise<Found>;

/**
 * Searches with ripgrep where the workspace has it, else with git grep. A pattern that ripgrep does not understand
 * (look-around, back-references) is given to git grep's Perl syntax; one that nobody understands is searched for
 * literally. Throws `SearchTimeout`.
 */
export const searcher = async (context: ToolContext, deadline: number): Promise<Searcher> => {
  const program = (dialect: typeof ripgrep): SearchProgram => searchProgram(dialect, context, deadline);
  const perl = program(gitGrep("--perl-regexp"));
  const fast = (await hasRipgrep(context, deadline)) ? [program(ripgrep)] : [];
  const preferred = fast[0] ?? perl;
  return async (pattern, path, how) => {
    const query: Query = { pattern, syntax: "regex", ignored: "skip", ...how };
    if (query.syntax === "literal") return literally(preferred, { query, path, badPattern: null });
    const reasons: string[] = [];
    for (const one of [...fast, perl]) {
      const outcome = await one.count(query, path);
      if (outcome.kind === "found") return found(one, { query, outcome, badPattern: null });
      reasons.push(outcome.reason);
    }
    if (reasons.some((reason) => /Perl-compatible regex.*not compiled/i.test(reason))) {
      const extended = program(gitGrep("--extended-regexp"));
      const outcome = await extended.count(query, path);
      if (outcome.kind === "found") return found(extended, { query, outcome, badPattern: null });
    }
    const badPattern = reasons[0] ?? "not understood";
    return literally(preferred, { query: { ...query, syntax: "literal" }, path, badPattern });
  };
};

const hasRipgrep = async (context: ToolContext, deadline: number): Promise<boolean> => {
  const { exitCode } = await context.workspace.exec({
    command: ["bash", "-c", "command -v rg"],
    env: commandEnvironment,
    timeoutMs: Math.max(deadline - Date.now(), 1),
    maxOutputBytes: 1000,
    reach: null,
    signal: context.signal,
  });
  return exitCode === 0;
};

const literally = async (
  program: SearchProgram,
  { query, path, badPattern }: { query: Query; path: string; badPattern: string | null },
): Promise<Found> => {
  const outcome = await program.count(query, path);
  if (outcome.kind === "bad-pattern") throw new SearchFailure(outcome.reason);
  return found(program, { query, outcome, badPattern });
};

/** The search program failed for a reason that is not the pattern. */
export class SearchFailure extends Error {}

const found = (
  program: SearchProgram,
  {
    query,
    outcome,
    badPattern,
  }: { query: Query; outcome: Extract<Outcome<FileCount>, { kind: "found" }>; badPattern: string | null },
): Found => ({ program, query, counts: outcome.found, complete: outcome.complete, badPattern });
