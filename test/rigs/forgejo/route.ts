import { json, type RigRequest, type RigResponse } from "../github/http.ts";
import type { Webhooks } from "./webhooks.ts";
import {
  type Account,
  type Item,
  type Level,
  mayAtLeast,
  type Repository,
  type Scope,
  type World,
} from "./world.ts";

export type Call = {
  world: World;
  hooks: Webhooks;
  request: RigRequest;
  by: Account;
  /** Named groups of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: unknown;
};

export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: RegExp;
  /** What a token needs: to read for GET, else to write. */
  scope: Scope;
  answer(call: Call): RigResponse | Promise<RigResponse>;
};

export type CallInRepository = Call & { repository: Repository };
export type CallOnItem = CallInRepository & { item: Item };

export const refuse = (status: number, message: string): RigResponse =>
  json(status, { message, url: "http://127.0.0.1/api/swagger" });

export const notFound = refuse(404, "The target couldn't be found.");

/** `level`: what the caller must be allowed to there. Who may not even read finds nothing. */
export const inRepository = (
  route: Omit<Route, "path" | "answer"> & {
    /** After `/repos/owner/name`. */
    rest: string;
    level: Level;
    answer(call: CallInRepository): RigResponse | Promise<RigResponse>;
  },
): Route => ({
  ...route,
  path: new RegExp(`^/repos/(?<fullName>[^/]+/[^/]+)${route.rest}$`),
  answer: (call) => {
    const repository = call.world.repositories.get(decodeURIComponent(call.params.fullName ?? ""));
    if (repository === undefined || !mayAtLeast(repository, call.by, "read")) return notFound;
    if (!mayAtLeast(repository, call.by, route.level)) return refuse(403, "user should have more permission");
    return route.answer({ ...call, repository });
  },
});

/** As `inRepository`, on the issue or pull request `<number>` of the path. */
export const onItem = (
  route: Omit<Parameters<typeof inRepository>[0], "answer"> & {
    answer(call: CallOnItem): RigResponse | Promise<RigResponse>;
  },
): Route =>
  inRepository({
    ...route,
    answer: (call) => {
      const item = call.repository.items.get(Number(call.params.number));
      return item === undefined ? notFound : route.answer({ ...call, item });
    },
  });

/** A page of a list, with the total in a header, as Forgejo answers it. */
export const paged = (
  { query }: Pick<Call, "query">,
  items: readonly unknown[],
  { tellsTotal = true }: { tellsTotal?: boolean } = {},
): RigResponse => {
  const limit = Math.min(50, Number(query.get("limit") ?? 30));
  const page = Number(query.get("page") ?? 1);
  const shown = items.slice((page - 1) * limit, page * limit);
  const answer = json(200, shown);
  const total = tellsTotal ? items.length : shown.length;
  return { ...answer, headers: { ...answer.headers, "x-total-count": String(total) } };
};

export const empty: RigResponse = { status: 204, headers: {}, body: Buffer.alloc(0) };
