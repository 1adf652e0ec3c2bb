import type { EngineGit } from "./engine-git.ts";
import type { ThreadPlace } from "./layout.ts";

const SUBMODULE_MODE = "160000 ";

/** Paths at which the engine's index has a submodule. Their files are another repository's: none is fetched or kept. */
export const submodulesOf = async (place: ThreadPlace, git: EngineGit): Promise<string[]> => {
  const staged = await git.bytes({ args: ["ls-files", "-s", "-z"], gitDir: place.git });
  return staged
    .toString("utf8")
    .split("\0")
    .filter((line) => line.startsWith(SUBMODULE_MODE))
    .map((line) => line.slice(line.indexOf("\t") + 1));
};
