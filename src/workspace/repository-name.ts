import type { Source } from "../store/payload.ts";

type Place = Pick<Source, "forge" | "repository" | "installationId" | "repositoryId">;

/**
 * A repository's name among all tenants: what mirrors and workspaces are kept by. With the forge's own id where that is known, so that
 * another repository that gets the name does not get what is kept. A local one's is its path or URL.
 */
export const repositoryName = ({ forge, repository, installationId, repositoryId }: Place): string => {
  if (forge === "local") return repository;
  const id = repositoryId === undefined ? "" : `#${repositoryId}`;
  return `${forge}:${installationId ?? 0}:${repository}${id}`;
};

/** The place behind a name; a name without a forge is a local repository's. */
export const repositoryPlace = (name: string): Place => {
  const [, forge, installation, repository, id] =
    /^(github|forgejo):(\d+):([^:#]+)(?:#(\d+))?$/.exec(name) ?? [];
  return forge === undefined || repository === undefined
    ? { forge: "local", repository: name, installationId: null }
    : {
        ...{ forge: forge as "github" | "forgejo", repository, installationId: Number(installation) || null },
        ...(id === undefined ? {} : { repositoryId: Number(id) }),
      };
};
