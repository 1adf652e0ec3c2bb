import { inputError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Forge, Forges } from "../forge.ts";
import { checksOf } from "./check-report.ts";
import { setCheck } from "./checks.ts";
import { createComment, deleteComment, findComment, updateComment } from "./comments.ts";
import { defaultBranchOf, fileOf } from "./contents.ts";
import { setDraft } from "./drafts.ts";
import type { GithubApp, Octokit } from "./github-app.ts";
import { ask } from "./github-errors.ts";
import { authorOf, type Bot, botIdentity } from "./identity.ts";
import { issueOf, react } from "./issues.ts";
import { permissionOf } from "./permission.ts";
import type { Place } from "./place.ts";
import { createPullRequest, findPullRequest, pullRequestOf, updatePullRequest } from "./pull-requests.ts";
import { remoteOf } from "./remote.ts";
import { replyToReview } from "./review-comments.ts";
import { reviewThreads } from "./review-threads.ts";
import { createReview, hasReview } from "./reviews.ts";

export type GithubForgesOptions = {
  app: GithubApp;
  /** Where git and people go: `https://github.com`, or a GitHub Enterprise Server's address. */
  webUrl: string;
  log: Log;
};

/** Repositories on GitHub, through the App's installations. */
export const githubForges = ({ app, webUrl, log }: GithubForgesOptions): Forges => {
  const identify = botIdentity(app);
  return {
    open: async ({ repository, installationId }) => {
      const [owner, repo, ...rest] = repository.split("/");
      if (!owner || !repo || rest.length > 0)
        throw inputError("forge-repository", `${repository} is no repository on GitHub`, "Write owner/name.");
      const installation = installationId ?? (await installationOf(app, { owner, repo }));
      const octokit = await app.asInstallation(installation);
      const place = { octokit, owner, repo, fullName: repository };
      return githubForge({ app, place, installation, webUrl, log, bot: () => identify(octokit) });
    },
  };
};

const installationOf = async (app: GithubApp, { owner, repo }: Pick<Place, "owner" | "repo">) => {
  const octokit: Octokit = await app.asApp();
  const { data } = await ask(`find the App's installation on ${owner}/${repo}`, () =>
    octokit.rest.apps.getRepoInstallation({ owner, repo }),
  );
  return data.id;
};

type ForgeParts = GithubForgesOptions & { place: Place; installation: number; bot: () => Promise<Bot> };

const githubForge = ({ app, place, installation, webUrl, log, bot }: ForgeParts): Forge => ({
  kind: "github",
  repository: place.fullName,
  defaultBranch: () => defaultBranchOf(place),
  permission: (login) => permissionOf(place, login),
  issue: (number) => issueOf(place, number),
  react: (target, content) => react(place, target, content),
  findComment: async (issue, marker) => findComment(place, { issue, marker, bot: await bot() }),
  createComment: (issue, body) => createComment(place, { issue, body }),
  updateComment: (id, body) => updateComment(place, { id, body }),
  deleteComment: (id) => deleteComment(place, id),
  findPullRequest: async (branch) => findPullRequest(place, { branch, bot: await bot() }),
  createPullRequest: (draft) => createPullRequest(place, { draft, log }),
  pullRequest: async (number) => pullRequestOf(place, { number, bot: await bot() }),
  updatePullRequest: (number, change) => updatePullRequest(place, { number, change }),
  setDraft: (number, draft) => setDraft(place, { number, draft, log }),
  reviewThreads: async (number) => reviewThreads(place, { number, bot: await bot(), log }),
  replyToReview: (number, thread, body) => replyToReview(place, { number, thread, body }),
  createReview: (number, review) => createReview(place, { number, review }),
  hasReview: async (number, marker) => hasReview(place, { number, marker, bot: await bot() }),
  checks: async (commit) => checksOf(place, { commit, bot: await bot() }),
  labelAddition: null,
  setCheck: (check) => setCheck(place, check),
  file: (path) => fileOf(place, path),
  remote: (access) =>
    remoteOf(app, { repository: place.fullName, installationId: installation, access, webUrl }),
  botAuthor: async () => authorOf(await bot(), { webUrl }),
  userAuthor: (user) => authorOf(user, { webUrl }),
});
