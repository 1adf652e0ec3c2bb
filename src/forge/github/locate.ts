import type { Locate } from "../forge.ts";
import type { GithubApp } from "./github-app.ts";
import { ask } from "./github-errors.ts";
import { inside, type Place, repositoryAt } from "./place.ts";

/** Where the App is installed on a repository. */
export const githubLocate =
  (app: GithubApp): Locate =>
  async (repository) => {
    const { owner, repo } = repositoryAt(repository);
    const installation = await installationOf(app, { owner, repo });
    const octokit = await app.inRepository({ installation, name: repo, id: null }, "read");
    const { data } = await ask(`read ${repository}`, () =>
      octokit.rest.repos.get(inside({ octokit, owner, repo, fullName: repository })),
    );
    return {
      ...{ forge: "github", repository: data.full_name, installationId: installation },
      repositoryId: data.id,
    };
  };

/** The App's installation on the repository. Throws `forge-missing` (fix-input) where it is not installed. */
export const installationOf = async (
  app: GithubApp,
  { owner, repo }: Pick<Place, "owner" | "repo">,
): Promise<number> => {
  const octokit = await app.asApp();
  const { data } = await ask(`find the App's installation on ${owner}/${repo}`, () =>
    octokit.rest.apps.getRepoInstallation({ owner, repo }),
  );
  return data.id;
};
