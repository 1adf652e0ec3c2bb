import type { CommandResult } from "../../workspace/sandbox/sandbox.ts";
import { commandEnvironment } from "../command-environment.ts";
import type { ToolContext } from "../tool.ts";

const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Hits wanted of one file: no answer shows more. */
export const MAX_HITS = 100;

type Syntax = "regex" | "literal";

export type Query = {
  pattern: string;
  syntax: Syntax;
  /** Also files that ignore rules hide. */
  ignored: "skip" | "include";
};

export type FileCount = { path: string; lines: number };
/** `line` from 1; `column`: the first byte of the first match in it, from 1. */
export type Hit = { path: string; line: number; column: number };

/** What a search program made of a query. */
export type Outcome<T> =
  | { kind: "found"; found: readonly T[]; complete: boolean }
  | { kind: "bad-pattern"; reason: string };

/** Searches the workspace for lines. Throws `SearchTimeout` when the time is over. */
export type SearchProgram = {
  /** How many lines match in every file below `path`, in any order. */
  count(query: Query, path: string): Promise<Outcome<FileCount>>;
  /** The matching lines of these files, in any order of files, lines ascending. */
  hits(query: Query, paths: readonly string[]): Promise<Outcome<Hit>>;
};

export class SearchTimeout extends Error {}

type Dialect = {
  countArgs(query: Query): readonly string[];
  hitArgs(query: Query): readonly string[];
  /** What it says to a pattern that it does not understand. */
  rejects(result: CommandResult): string | null;
};

/** `deadline` in milliseconds since the epoch, for all that is asked of the program. */
export const searchProgram = (
  dialect: Dialect,
  context: Pick<ToolContext, "workspace" | "signal">,
  deadline: number,
): SearchProgram => {
  const run = async <T>(
    args: readonly string[],
    read: (record: RegExpMatchArray) => T,
    records: RegExp,
  ): Promise<Outcome<T>> => {
    const result = await context.workspace.exec({
      command: args,
      env: commandEnvironment,
      timeoutMs: Math.max(deadline - Date.now(), 1),
      maxOutputBytes: MAX_OUTPUT_BYTES,
      reach: null,
      signal: context.signal,
    });
    if (result.timedOut) throw new SearchTimeout();
    const found = [...result.output.matchAll(records)].map(read);
    const reason = found.length === 0 ? dialect.rejects(result) : null;
    return reason === null
      ? { kind: "found", found, complete: result.omittedBytes === 0 }
      : { kind: "bad-pattern", reason };
  };
  return {
    count: (query, path) => run([...dialect.countArgs(query), "--", below(path)], fileCount, COUNTS),
    hits: (query, paths) => run([...dialect.hitArgs(query), "--", ...paths.map(below)], hit, HITS),
  };
};

const COUNTS = /^([^\0\n]+)\0(\d+)$/gm;
const HITS = /^([^\0\n]+)\0(\d+)[:\0](\d+)[:\0]/gm;

/** No path is taken for an option. */
const below = (path: string): string => (path.startsWith("/") ? path : `./${path}`);
const plain = (path: string): string => path.replace(/^(?:\.\/)+/, "");

const fileCount = ([, path = "", lines]: RegExpMatchArray): FileCount => ({
  path: plain(path),
  lines: Number(lines),
});

const hit = ([, path = "", line, column]: RegExpMatchArray): Hit => ({
  path: plain(path),
  line: Number(line),
  column: Number(column),
});

const ripgrepArgs = ({ pattern, syntax, ignored }: Query): string[] => [
  "rg",
  "--no-config",
  "--color=never",
  "--no-messages",
  "--null",
  "--with-filename",
  "--no-heading",
  "--hidden",
  "--glob=!.git",
  ...(ignored === "include" ? ["--no-ignore"] : ["--no-ignore-dot", "--no-require-git"]),
  ...(syntax === "literal" ? ["--fixed-strings"] : []),
  `--regexp=${pattern}`,
];

/** ripgrep; of a hit it prints the place alone, however long the line. */
export const ripgrep: Dialect = {
  countArgs: (query) => [...ripgrepArgs(query), "--count"],
  hitArgs: (query) => [
    ...ripgrepArgs(query),
    "--line-number",
    "--column",
    "--max-columns=1",
    `--max-count=${MAX_HITS}`,
  ],
  rejects: ({ exitCode, output }) => (exitCode === 2 && output.trim() !== "" ? lastLine(output) : null),
};

const gitGrepArgs = ({ pattern, syntax, ignored }: Query, regex: "--perl-regexp" | "--extended-regexp") => [
  "git",
  "-c",
  "core.quotePath=false",
  "grep",
  "--no-index",
  ignored === "include" ? "--no-exclude-standard" : "--exclude-standard",
  "--no-color",
  "--null",
  "-I",
  syntax === "literal" ? "--fixed-strings" : regex,
  "-e",
  pattern,
];

/** `git grep` outside of git's index: files as they are, whatever is tracked. */
export const gitGrep = (regex: "--perl-regexp" | "--extended-regexp"): Dialect => ({
  countArgs: (query) => [...gitGrepArgs(query, regex), "--count"],
  hitArgs: (query) => [...gitGrepArgs(query, regex), "--line-number", "--column"],
  rejects: ({ exitCode, output }) => (exitCode === 128 ? lastLine(output) : null),
});

const lastLine = (text: string): string =>
  (text.trim().split("\n").at(-1) ?? "").replace(/^(?:error|fatal): /, "").trim();
