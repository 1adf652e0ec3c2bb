import { at } from "../../github/api.ts";
import { json } from "../../github/http.ts";
import { note, openItem } from "../change-item.ts";
import { tellItem } from "../events.ts";
import { pullOf } from "../render.ts";
import {
  type CallInRepository,
  inRepository,
  notFound,
  onItem,
  paged,
  type Route,
  refuse,
} from "../route.ts";
import { mayAtLeast, type Pull, touch } from "../world.ts";
import { mergeBranch } from "../write-file.ts";

const PULL = "/pulls/(?<number>\\d+)";

const list = inRepository({
  method: "GET",
  rest: "/pulls",
  scope: "repository",
  level: "read",
  answer: async (call) => {
    const { world, repository, query } = call;
    const branches = await repository.bare.branches();
    const state = query.get("state") ?? "open";
    const poster = query.get("poster");
    const pulls = [...repository.items.values()]
      .filter((item) => item.pull !== null && (state === "all" || item.state === state))
      .filter((item) => poster === null || item.author.login === poster)
      .reverse();
    return paged(
      call,
      pulls.map((item) => pullOf(world, repository, item, branches)),
    );
  },
});

const read = onItem({
  method: "GET",
  rest: PULL,
  scope: "repository",
  level: "read",
  answer: async ({ world, repository, item }) =>
    item.pull === null
      ? notFound
      : json(200, pullOf(world, repository, item, await repository.bare.branches())),
});

/** A second one between two branches is a conflict; one without changes, or without a branch, is none at all. */
const open = inRepository({
  method: "POST",
  rest: "/pulls",
  scope: "repository",
  level: "read",
  answer: async (call) => {
    const { world, repository, body } = call;
    const branches = await repository.bare.branches();
    const [branch, base] = [String(at(body, "head")), String(at(body, "base"))];
    const commit = branches.get(branch);
    if (commit === undefined || !branches.has(base)) return notFound;
    const same = [...repository.items.values()].some(
      ({ state, pull }) => state === "open" && pull?.branch === branch && pull.base === base,
    );
    if (same) return refuse(409, "pull request already exists for these targets");
    if (commit === branches.get(base))
      return refuse(422, "Invalid PullRequest: There are no changes between the head and the base");
    const pull: Pull = { branch, base, commit, fork: null, merged: false, reviewers: [], reviews: [] };
    const title = String(at(body, "title"));
    const item = await openItem(call, { title, body: String(at(body, "body") ?? ""), labels: [], pull });
    await repository.bare.git("update-ref", `refs/pull/${item.number}/head`, commit);
    return json(201, pullOf(world, repository, item, branches));
  },
});

const edit = onItem({
  method: "PATCH",
  rest: PULL,
  scope: "repository",
  level: "read",
  answer: async (call) => {
    const { world, repository, item, by, body } = call;
    if (item.pull === null) return notFound;
    if (item.author !== by && !mayAtLeast(repository, by, "write")) return refuse(403, "not the poster");
    item.title = String(at(body, "title") ?? item.title);
    item.body = String(at(body, "body") ?? item.body);
    const state = at(body, "state");
    if (item.pull.merged && state !== undefined)
      return refuse(412, "cannot change the state of a merged pull request");
    if (state === "open" || state === "closed") item.state = state;
    touch(item);
    const action = state === "closed" ? "closed" : state === "open" ? "reopened" : "edited";
    await tellItem(call, item, { action, type: "" });
    return json(201, pullOf(world, repository, item, await repository.bare.branches()));
  },
});

const merge = onItem({
  method: "POST",
  rest: `${PULL}/merge`,
  scope: "repository",
  level: "write",
  answer: async (call) => {
    const { repository, item } = call;
    if (item.pull === null || item.state === "closed") return refuse(405, "not open");
    await mergeBranch(repository.bare, { base: item.pull.base, head: item.pull.commit });
    item.pull.merged = true;
    item.state = "closed";
    touch(item);
    const closes = /\b(?:closes|fixes|resolves) #(\d+)/i.exec(item.body)?.[1];
    const issue = closes === undefined ? undefined : repository.items.get(Number(closes));
    if (issue !== undefined && issue.pull === null) issue.state = "closed";
    await tellItem(call, item, { action: "closed", type: "" });
    return json(200, {});
  },
});

/** Asks all or nobody: who cannot see the repository, or wrote the pull request, cannot review. */
const requestReviews = onItem({
  method: "POST",
  rest: `${PULL}/requested_reviewers`,
  scope: "repository",
  level: "read",
  answer: async (call) => {
    const { world, repository, item, by, body } = call;
    if (item.pull === null) return notFound;
    if (item.author !== by && !mayAtLeast(repository, by, "write")) return refuse(403, "no permission");
    const asked = at(body, "reviewers");
    const logins = (Array.isArray(asked) ? asked : []).map(String);
    for (const login of logins) {
      const account = world.accounts.find((each) => each.login === login);
      if (account === undefined) return refuse(404, `user does not exist [name: ${login}]`);
      if (account === item.author) return refuse(422, "poster of pr can't be reviewer");
      if (!mayAtLeast(repository, account, "read")) return refuse(422, `${login} can't read`);
    }
    item.pull.reviewers = [...new Set([...item.pull.reviewers, ...logins])];
    await tellItem(call, item, { action: "review_requested", type: "_review_request" });
    return json(201, []);
  },
});

/** After branches moved: open pull requests go with theirs. */
export const followBranches = async (call: CallInRepository): Promise<void> => {
  const branches = await call.repository.bare.branches();
  for (const item of call.repository.items.values()) {
    const { pull } = item;
    const tip = pull === null ? undefined : branches.get(pull.branch);
    if (
      pull === null ||
      pull.fork !== null ||
      item.state !== "open" ||
      tip === undefined ||
      tip === pull.commit
    )
      continue;
    pull.commit = tip;
    await call.repository.bare.git("update-ref", `refs/pull/${item.number}/head`, tip);
    note(item, { id: call.world.nextId(), type: "pull_push", author: call.by, body: "", label: null });
    await tellItem(call, item, { action: "synchronized", type: "_sync" });
  }
};

export const pullRoutes: readonly Route[] = [list, read, open, edit, merge, requestReviews];
