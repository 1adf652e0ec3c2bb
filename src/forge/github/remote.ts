import type { Remote } from "../../workspace/workspace.ts";
import type { GithubApp } from "./github-app.ts";
import { ask } from "./github-errors.ts";

/**
 * Where git goes, with a token of its own: for this repository alone and for nothing but its contents. A new one
 * each time, good for an hour.
 */
export const remoteOf = async (
  app: GithubApp,
  {
    repository,
    installationId,
    access,
    webUrl,
  }: {
    repository: string;
    installationId: number;
    access: "read" | "write";
    webUrl: string;
  },
): Promise<Remote> => {
  const octokit = await app.asApp();
  const { data } = await ask(`make a token that may ${access} ${repository}`, () =>
    octokit.rest.apps.createInstallationAccessToken({
      installation_id: installationId,
      repositories: [repository.slice(repository.indexOf("/") + 1)],
      permissions: { contents: access },
    }),
  );
  return { url: `${webUrl}/${repository}.git`, token: data.token };
};
