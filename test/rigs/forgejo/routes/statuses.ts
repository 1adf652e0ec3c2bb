import { at } from "../../github/api.ts";
import { json } from "../../github/http.ts";
import { repositoryOf } from "../render.ts";
import { statusOf } from "../render-reviews.ts";
import { inRepository, type Route, refuse } from "../route.ts";
import { nowText, type Status } from "../world.ts";

const STATES = ["pending", "success", "error", "failure", "warning"];

/** `state` goes in; `status` comes out. */
const set = inRepository({
  method: "POST",
  rest: "/statuses/(?<commit>[0-9a-f]+)",
  scope: "repository",
  level: "write",
  answer: ({ world, repository, by, params, body }) => {
    const state = String(at(body, "state"));
    if (!STATES.includes(state)) return refuse(400, "bad state");
    const status: Status = {
      id: world.nextId(),
      commit: params.commit ?? "",
      context: String(at(body, "context") ?? "default"),
      state,
      description: String(at(body, "description") ?? ""),
      url: String(at(body, "target_url") ?? ""),
      author: by,
      at: nowText(),
    };
    repository.statuses.push(status);
    return json(201, statusOf(world, status));
  },
});

/** Of each context the newest. */
const combined = inRepository({
  method: "GET",
  rest: "/commits/(?<commit>[0-9a-f]+)/status",
  scope: "repository",
  level: "read",
  answer: ({ world, repository, params, query }) => {
    const newest = newestOf(repository.statuses, params.commit ?? "");
    const limit = Math.min(50, Number(query.get("limit") ?? 30));
    const page = Number(query.get("page") ?? 1);
    const shown = newest.slice((page - 1) * limit, page * limit);
    const worst = ["error", "failure", "pending", "warning", "success"].find((state) =>
      newest.some((status) => status.state === state),
    );
    return json(200, {
      state: worst ?? "",
      sha: params.commit ?? "",
      total_count: newest.length,
      statuses: newest.length === 0 ? null : shown.map((status) => statusOf(world, status)),
      repository: repositoryOf(world, repository),
      commit_url: "",
      url: "",
    });
  },
});

export const newestOf = (statuses: readonly Status[], commit: string): Status[] => {
  const newest = new Map<string, Status>();
  for (const status of statuses) if (status.commit === commit) newest.set(status.context, status);
  return [...newest.values()];
};

export const statusRoutes: readonly Route[] = [set, combined];
