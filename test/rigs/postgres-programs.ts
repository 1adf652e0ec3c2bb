import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Older servers lack what the store needs. */
const OLDEST = 15;

const DEBIAN = "/usr/lib/postgresql";

/** The directory of the newest installed server's programs ("" when they are found by PATH); undefined: none is here. */
export const postgresPrograms = (): string | undefined => {
  const found = [...debianDirectories(), ""]
    .map((directory) => ({ directory, major: majorOf(join(directory, "postgres")) }))
    .filter(({ major }) => major >= OLDEST);
  return found.toSorted((a, b) => b.major - a.major)[0]?.directory;
};

const debianDirectories = (): string[] => {
  try {
    return readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin"));
  } catch {
    return [];
  }
};

const majorOf = (program: string): number => {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return Number(/ (\d+)/.exec(stdout ?? "")?.[1] ?? 0);
};

export type Account = { uid: number; gid: number };

/** PostgreSQL refuses to run as root: the account that it then runs under. Undefined: this process's own. */
export const postgresAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (what: "-u" | "-g") => Number(execFileSync("id", [what, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
};
