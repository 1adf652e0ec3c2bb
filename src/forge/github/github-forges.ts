import type { Log } from "../../base/log.ts";
import type { Forge, Forges } from "../forge.ts";
import { checksOf } from "./check-report.ts";
import { setCheck } from "./checks.ts";
import { createComment, deleteComment, findComment, updateComment } from "./comments.ts";
import { defaultBranchOf, fileOf } from "./contents.ts";
import { setDraft } from "./drafts.ts";
import type { GithubApp } from "./github-app.ts";
import { authorOf, type Bot, botIdentity } from "./identity.ts";
import type { TokenPlace } from "./installation-tokens.ts";
import { issueOf, react } from "./issues.ts";
import { installationOf } from "./locate.ts";
import { permissionOf } from "./permission.ts";
import { type Phase, phases } from "./phases.ts";
import { type Place, repositoryAt } from "./place.ts";
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
    open: async ({ repository, installationId, repositoryId = null }) => {
      const { owner, repo } = repositoryAt(repository);
      const installation = installationId ?? (await installationOf(app, { owner, repo }));
      const tokens: TokenPlace = { installation, name: repo, id: repositoryId };
      const places = await inPhases(async (phase) => ({
        octokit: await app.inRepository(tokens, phase),
        owner,
        repo,
        fullName: repository,
      }));
      return githubForge({ app, places, tokens, webUrl, log, bot: () => identify(places.read.octokit) });
    },
  };
};

/** The same repository once for each phase, with a client that may do nothing else. */
type Places = Readonly<Record<Phase, Place>>;

const inPhases = async (placeIn: (phase: Phase) => Promise<Place>): Promise<Places> => {
  const names = Object.keys(phases) as Phase[];
  return Object.fromEntries(
    await Promise.all(names.map(async (phase) => [phase, await placeIn(phase)])),
  ) as Places;
};

type ForgeParts = GithubForgesOptions & { places: Places; tokens: TokenPlace; bot: () => Promise<Bot> };

const githubForge = ({ app, places, tokens, webUrl, log, bot }: ForgeParts): Forge => ({
  kind: "github",
  repository: places.read.fullName,
  defaultBranch: () => defaultBranchOf(places.read),
  permission: (login) => permissionOf(places.read, login),
  issue: (number) => issueOf(places.read, number),
  react: (target, content) => react(places.comment, target, content),
  findComment: async (issue, marker) => findComment(places.read, { issue, marker, bot: await bot() }),
  createComment: (issue, body) => createComment(places.comment, { issue, body }),
  updateComment: (id, body) => updateComment(places.comment, { id, body }),
  deleteComment: (id) => deleteComment(places.comment, id),
  findPullRequest: async (branch) => findPullRequest(places.read, { branch, bot: await bot() }),
  createPullRequest: (draft) => createPullRequest(places.pullRequest, { draft, log }),
  pullRequest: async (number) => pullRequestOf(places.read, { number, bot: await bot() }),
  updatePullRequest: (number, change) => updatePullRequest(places.pullRequest, { number, change }),
  setDraft: (number, draft) => setDraft(places.draft, { number, draft, log }),
  reviewThreads: async (number) => reviewThreads(places.read, { number, bot: await bot(), log }),
  replyToReview: (number, thread, body) => replyToReview(places.pullRequest, { number, thread, body }),
  createReview: (number, review) => createReview(places.pullRequest, { number, review }),
  hasReview: async (number, marker) => hasReview(places.read, { number, marker, bot: await bot() }),
  checks: async (commit) => checksOf(places.readChecks, { commit, logs: places.readLogs, bot: await bot() }),
  labelAddition: null,
  setCheck: (check) => setCheck(places.check, check),
  file: (path) => fileOf(places.read, path),
  remote: (access) => remoteOf(app, { repository: places.read.fullName, place: tokens, access, webUrl }),
  botAuthor: async () => authorOf(await bot(), { webUrl }),
  userAuthor: (user) => authorOf(user, { webUrl }),
});
