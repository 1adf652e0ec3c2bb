import type { Log } from "../../base/log.ts";
import type { Forge, Forges, Locate } from "../forge.ts";
import { createComment, deleteComment, findComment, updateComment } from "./comments.ts";
import { defaultBranchOf, fileOf } from "./contents.ts";
import { forgejoClient } from "./forgejo-client.ts";
import { authorOf, type Identity, identityOf } from "./identity.ts";
import { issueOf, react } from "./issues.ts";
import { labelAddition } from "./labels.ts";
import { forgejoLocate } from "./locate.ts";
import { permissionOf } from "./permission.ts";
import { type Place, placeAt } from "./place.ts";
import { detailsOf } from "./pull-request.ts";
import {
  createPullRequest,
  findPullRequest,
  readPullRequest,
  setDraft,
  updatePullRequest,
} from "./pull-requests.ts";
import { replyToReview, reviewThreads } from "./review-threads.ts";
import { createReview, hasReview } from "./reviews.ts";
import { checksOf, setCheck } from "./statuses.ts";

export type ForgejoForgesOptions = {
  /** The server's address, without a slash at the end. */
  url: string;
  /** Of the bot's account. */
  token: string;
  log: Log;
  /** Milliseconds for one request. Default: 30,000. */
  timeoutMs?: number;
};

/** Repositories on a Forgejo server (11 or newer), through the bot's account. */
export const forgejoForges = ({
  url,
  token,
  log,
  timeoutMs,
}: ForgejoForgesOptions): Forges & Identity & { locate: Locate } => {
  const client = forgejoClient({ url, token, log, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const identity = identityOf(client);
  return {
    ...identity,
    locate: forgejoLocate(client, identity),
    open: async ({ repository }) =>
      forgejoForge({ place: placeAt(client, repository), self: identity.self, url, token, log }),
  };
};

type ForgeParts = Pick<ForgejoForgesOptions, "url" | "token" | "log"> & {
  place: Place;
  self: Identity["self"];
};

const forgejoForge = ({ place, self, url, token, log }: ForgeParts): Forge => ({
  kind: "forgejo",
  repository: place.fullName,
  defaultBranch: () => defaultBranchOf(place),
  permission: (login) => permissionOf(place, login),
  issue: (number) => issueOf(place, number),
  react: (target, content) => react(place, { target, content, log }),
  findComment: async (issue, marker) => findComment(place, { issue, marker, bot: await self() }),
  createComment: (issue, body) => createComment(place, { issue, body }),
  updateComment: (id, body) => updateComment(place, { id, body }),
  deleteComment: (id) => deleteComment(place, id),
  findPullRequest: async (branch) => findPullRequest(place, { branch, bot: await self() }),
  createPullRequest: async (draft) => createPullRequest(place, { draft, bot: await self(), log }),
  pullRequest: async (number) => detailsOf(await readPullRequest(place, number), await self()),
  updatePullRequest: (number, change) => updatePullRequest(place, { number, ...change }),
  setDraft: (number, draft) => setDraft(place, { number, draft }),
  reviewThreads: async (number) => reviewThreads(place, { number, bot: await self() }),
  replyToReview: async (number, thread, body) => replyToReview(place, { number, thread, body }),
  createReview: (number, review) => createReview(place, { number, review }),
  hasReview: async (number, marker) => hasReview(place, { number, marker, bot: await self() }),
  checks: (commit) => checksOf(place, { commit, url }),
  labelAddition: (issue, label) => labelAddition(place, { issue, label }),
  setCheck: (check) => setCheck(place, check),
  file: (path) => fileOf(place, path),
  // The bot's one token does everything: Forgejo makes none for a repository alone.
  remote: async () => ({ url: `${url}/${place.fullName}.git`, token }),
  botAuthor: async () => authorOf(await self(), { url }),
  userAuthor: (user) => authorOf(user, { url }),
});
