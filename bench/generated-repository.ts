import { spawn } from "node:child_process";
import { once } from "node:events";
import { git } from "./git.ts";
import { stepText } from "./step-text.ts";

export const FILES = 10_000;
export const COMMITS = 10_000;
const CHANGED_PER_COMMIT = 5;
const identity = "Ann <ann@example.org>";

/** A bare repository like one that people have worked on for some years: many files, and a history of small changes. */
export const generateRepository = async (directory: string): Promise<void> => {
  await git(["init", "--quiet", "--bare", "--initial-branch", "main", directory]);
  const child = spawn("git", ["--git-dir", directory, "fast-import", "--quiet"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  for (let commit = 0; commit < COMMITS; commit++)
    if (!child.stdin.write(commitOf(commit))) await once(child.stdin, "drain");
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  await git(["--git-dir", directory, "repack", "--quiet", "-a", "-d"]);
};

/** The first commit has every file; each one after it changes a few. */
const commitOf = (commit: number): string => {
  const message = `Change ${commit}`;
  const files =
    commit === 0
      ? Array.from({ length: FILES }, (_, file) => file)
      : Array.from({ length: CHANGED_PER_COMMIT }, (_, i) => (commit * 37 + i * 1009) % FILES);
  return [
    "commit refs/heads/main",
    `committer ${identity} ${1_700_000_000 + commit * 3600} +0000`,
    `data ${message.length}`,
    message,
    ...files.map((file) => fileOf(file, commit)),
    "",
  ].join("\n");
};

const fileOf = (file: number, commit: number): string => {
  const directory = `packages/part-${file % 40}/src/area-${Math.floor(file / 40) % 25}`;
  const text = textOf(file, commit);
  return `M 100644 inline ${directory}/file-${file}.ts\ndata ${text.length}\n${text}`;
};

/** One to six thousand characters in lines, of which a change touches one. */
const textOf = (file: number, commit: number): string => {
  const lines = [`// file ${file}, changed by ${commit}`];
  for (let part = 0; part <= file % 6; part++)
    lines.push(...(stepText((file * 7 + part) % 1000).match(/.{1,80}/g) ?? []));
  return `${lines.join("\n").slice(0, 1000 + (file % 6) * 1000)}\n`;
};
