import type { Source } from "../store/payload.ts";

type Place = Pick<Source, "forge" | "repository" | "installationId">;

/** A repository's name among all tenants: what mirrors and workspaces are kept by. A local one's is its path or URL. */
export const repositoryName = ({ forge, repository, installationId }: Place): string =>
  forge === "local" ? repository : `${forge}:${installationId ?? 0}:${repository}`;

/** The place behind a name; a name without a forge is a local repository's. */
export const repositoryPlace = (name: string): Place => {
  const match = /^(github|forgejo):(\d+):([^:]+)$/.exec(name);
  const [, forge, installation, repository] = match ?? [];
  return forge === undefined || repository === undefined
    ? { forge: "local", repository: name, installationId: null }
    : { forge: forge as "github" | "forgejo", repository, installationId: Number(installation) || null };
};
