import { AppError, inputError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { type ReadRepositoryFile, readRepositoryFile } from "../config/read-repository-config.ts";
import type { ForgeKind } from "../forge/events.ts";
import type { Forge } from "../forge/forge.ts";

/** A repository's configuration file, as it stands on the default branch. */
export type FoundFile = ReadRepositoryFile & {
  /** For messages: `owner/name .github/uwf.yml`. */
  name: string;
};

/** Where a repository's own file may be; the first that is there counts. */
const paths: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: [".github/uwf.yml"],
  forgejo: [".forgejo/uwf.yml", ".github/uwf.yml"],
};

/** The repositories that speak for their owner; the first that has a file counts. */
const organisationRepositories: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: [".github"],
  forgejo: [".forgejo", ".github"],
};

/** `acme/.github`, and where else the forge's organisations say what holds for all of their repositories. */
export const organisationOf = ({ kind, repository }: Pick<Forge, "kind" | "repository">): string[] =>
  organisationRepositories[kind].map((name) => `${ownerOf(repository)}/${name}`);

/** For messages that say what is not there. */
export const pathsOn = (kind: ForgeKind): string => paths[kind].join(" or ");

/**
 * The repository's file; undefined when it has none. Throws `repository-config-invalid` (fix-input), and what the forge
 * throws.
 */
export const configFileOf = async (
  forge: Pick<Forge, "kind" | "repository" | "file">,
): Promise<FoundFile | undefined> => {
  for (const path of paths[forge.kind]) {
    const text = await forge.file(path);
    if (text === undefined) continue;
    const name = `${forge.repository} ${path}`;
    const { file, problems } = await readRepositoryFile(text, { name, owner: ownerOf(forge.repository) });
    if (file === null) throw invalidConfig(problems);
    return { ...file, name };
  }
  return undefined;
};

/** As `configFileOf` for a repository that may not be there, or not be the bot's to see: that is as good as no file. */
export const configFileIfSeen = async (
  open: () => Promise<Forge>,
  { log, repository }: { log: Log; repository: string },
): Promise<FoundFile | undefined> => {
  try {
    return await configFileOf(await open());
  } catch (error) {
    const unseen =
      error instanceof AppError && (error.code === "forge-missing" || error.code === "forge-denied");
    if (!unseen) throw error;
    log.info({ repository, error: messageOf(error) }, "no configuration can be read there");
    return undefined;
  }
};

const SHOWN = 5;

/** People read it on the issue: the first few problems say enough. */
export const invalidConfig = (problems: readonly string[]): AppError => {
  const more = problems.length - SHOWN;
  const rest = more > 0 ? [`and ${more} more ${more === 1 ? "problem" : "problems"}`] : [];
  return inputError(
    "repository-config-invalid",
    [...problems.slice(0, SHOWN), ...rest].join("\n"),
    "Correct the file on its default branch, and ask again.",
  );
};

const ownerOf = (repository: string): string => repository.split("/")[0] ?? "";
