import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Check } from "./check.ts";

const run = promisify(execFile);
const leastGit = [2, 39] as const;

export const checkNode = (): Check => ({
  name: "Node",
  state: "ok",
  detail: `${process.versions.node} at ${process.execPath}`,
  hint: null,
});

export const checkGit = async (): Promise<Check> => {
  const version = await versionOf("git");
  const hint = `Install git ${leastGit.join(".")} or newer, such as with \`apt-get install git\`.`;
  if (version === null) return { name: "git", state: "missing", detail: "not found", hint };
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(version)?.[0] ?? "").split(".").map(Number);
  const old = major < leastGit[0] || (major === leastGit[0] && minor < leastGit[1]);
  return { name: "git", state: old ? "missing" : "ok", detail: version, hint: old ? hint : null };
};

export const checkRipgrep = async (): Promise<Check> => {
  const version = await versionOf("rg");
  if (version !== null) return { name: "ripgrep", state: "ok", detail: version, hint: null };
  return {
    name: "ripgrep",
    state: "optional",
    detail: "not found: files are searched with git grep, more slowly",
    hint: "Install it, such as with `apt-get install ripgrep`.",
  };
};

const versionOf = async (program: string): Promise<string | null> => {
  try {
    const { stdout } = await run(program, ["--version"], { timeout: 10_000 });
    return stdout.split("\n")[0]?.replace(/^(git version|ripgrep) /, "") ?? null;
  } catch {
    return null;
  }
};
