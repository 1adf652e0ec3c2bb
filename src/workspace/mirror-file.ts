import { inputError } from "../base/errors.ts";
import type { EngineGit } from "./engine-git.ts";
import type { Mirror } from "./mirror-place.ts";

const MAX_BYTES = 1024 * 1024;

/** A file of a commit that the mirror has; undefined when it is not there. Throws `file-too-large` above 1 MiB. */
export const fileOf = async (
  mirror: Mirror,
  { commit, path, git }: { commit: string; path: string; git: EngineGit },
): Promise<Uint8Array | undefined> => {
  const object = `${commit}:${path}`;
  const gitDir = mirror.directory;
  const { exitCode, stdout } = await git.run({ args: ["cat-file", "-s", object], gitDir });
  if (exitCode !== 0) return undefined;
  if (Number(stdout.toString("utf8")) > MAX_BYTES)
    throw inputError("file-too-large", `${path} in ${mirror.repository} is larger than 1 MiB.`);
  return git.bytes({ args: ["cat-file", "blob", object], gitDir });
};
