import type { Log } from "../base/log.ts";
import { remembered } from "../base/remembered.ts";
import { mergedConfig } from "../config/merge-repository-config.ts";
import type { RepositoryConfig } from "../config/repository-config.ts";
import type { Forge, ForgePlace, Forges } from "../forge/forge.ts";
import { repositoryKey } from "../forge/keys.ts";
import {
  configFileIfSeen,
  configFileOf,
  type FoundFile,
  invalidConfig,
  organisationOf,
  pathsOn,
} from "./repository-files.ts";

/** A person who has changed the file and asks again a little later finds it obeyed. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;
/** Files that a repository may inherit, one through the other. */
const MOST_LEVELS = 5;

export type RepositoryConfigParts = { forges: Forges; log: Log; now: () => number };

/**
 * What repositories say about the bot's work in them, by their files and those that they inherit, each as it stood on its
 * default branch within the last minute. Throws `repository-config-invalid` (fix-input), whose message says which file of which
 * repository is wrong in which line, and what the forge throws. A repository without any file has the defaults.
 */
export const repositoryConfigs = (parts: RepositoryConfigParts) => {
  const remember = remembered<FoundFile | undefined>({
    most: MOST_REMEMBERED,
    forMs: REMEMBERED_MS,
    now: parts.now,
  });
  return async (forge: Forge, place: ForgePlace): Promise<RepositoryConfig> => {
    const fileOf = (repository: string): Promise<FoundFile | undefined> => {
      // The id is that of the place's own repository.
      const there = { ...place, repository, repositoryId: undefined };
      const key = repositoryKey(there);
      if (repository === place.repository) return remember(`own ${key}`, () => configFileOf(forge));
      return remember(key, () =>
        configFileIfSeen(() => parts.forges.open(there), { log: parts.log, repository }),
      );
    };
    const files = await inherited(forge, fileOf);
    return mergedConfig(files.map(({ layer }) => layer).reverse());
  };
};

type FileOf = (repository: string) => Promise<FoundFile | undefined>;

/** The repository's file and those that it inherits, nearest first. */
const inherited = async (forge: Forge, fileOf: FileOf): Promise<FoundFile[]> => {
  const seen = [forge.repository];
  const own = await fileOf(forge.repository);
  const files = own === undefined ? [] : [own];
  let next = await parentOf(forge, { child: own, seen, fileOf });
  while (next !== undefined) {
    files.push(next.file);
    seen.push(next.repository);
    next = await parentOf(forge, { child: next.file, seen, fileOf });
  }
  return files;
};

type Step = { child: FoundFile | undefined; seen: readonly string[]; fileOf: FileOf };

const parentOf = async (
  forge: Forge,
  { child, seen, fileOf }: Step,
): Promise<{ repository: string; file: FoundFile } | undefined> => {
  const named = child?.extends;
  if (named === null) return undefined;
  if (child === undefined || typeof named !== "string") return organisationFile(forge, { seen, fileOf });
  if (isIn(seen, named)) throw badExtends(child, `goes in a circle: ${[...seen, named].join(" → ")}`);
  if (seen.length > MOST_LEVELS)
    throw badExtends(child, `more than ${MOST_LEVELS} files would be inherited, one through the other`);
  const file = await fileOf(named);
  if (file === undefined)
    throw badExtends(child, `there is no ${pathsOn(forge.kind)} in ${named}, or the bot cannot see it`);
  return { repository: named, file };
};

/** What every file inherits that does not say otherwise, but for those that the organisation's own file inherits. */
const organisationFile = async (forge: Forge, { seen, fileOf }: Omit<Step, "child">) => {
  const all = organisationOf(forge);
  if (all.some((repository) => isIn(seen, repository))) return undefined;
  for (const repository of all) {
    const file = await fileOf(repository);
    if (file !== undefined) return { repository, file };
  }
  return undefined;
};

const isIn = (seen: readonly string[], repository: string): boolean =>
  seen.some((one) => one.toLowerCase() === repository.toLowerCase());

const badExtends = ({ name, extendsAt }: FoundFile, message: string) =>
  invalidConfig([`${name}:${extendsAt.line}:${extendsAt.column}: _extends: ${message}`]);
