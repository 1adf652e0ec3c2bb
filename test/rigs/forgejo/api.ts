import { basicPassword, gitHttpBackend, gitRoute } from "../github/git-http.ts";
import { type Handler, parsed, type RigRequest, type RigResponse } from "../github/http.ts";
import { type Call, notFound, type Route, refuse } from "./route.ts";
import { issueRoutes } from "./routes/issues.ts";
import { followBranches, pullRoutes } from "./routes/pulls.ts";
import { reactionRoutes } from "./routes/reactions.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { reviewRoutes } from "./routes/reviews.ts";
import { statusRoutes } from "./routes/statuses.ts";
import type { Webhooks } from "./webhooks.ts";
import { type Account, mayAtLeast, type World } from "./world.ts";

const routes: readonly Route[] = [
  ...issueRoutes,
  ...reactionRoutes,
  ...pullRoutes,
  ...reviewRoutes,
  ...statusRoutes,
  ...repositoryRoutes,
];

/** Forgejo as the bot sees it: `/api/v1`, and git over HTTP on the same origin. `root`: where the repositories are on disk. */
export const forgejoApi =
  ({ world, hooks, root }: { world: World; hooks: Webhooks; root: string }): Handler =>
  async (request) => {
    if (gitRoute(request) !== null) return serveGit({ world, hooks, root }, request);
    const by = callerOf(world, request);
    if (by === null) return refuse(401, "token is required");
    const path = request.path.replace(/^\/api\/v1(?=\/)/, "");
    for (const route of routes) {
      const match = route.method === request.method ? route.path.exec(path) : null;
      if (match === null) continue;
      const level = request.method === "GET" ? "read" : "write";
      if (!isWithin(by, route, level))
        return refuse(
          403,
          `token does not have at least one of required scope(s): [${level}:${route.scope}]`,
        );
      const params = { ...match.groups };
      const query = new URLSearchParams(request.query);
      return route.answer({ world, hooks, request, by, params, query, body: parsed(request) });
    }
    return notFound;
  };

const callerOf = ({ accounts }: World, { headers }: RigRequest): Account | null => {
  const { authorization } = headers;
  const token = /^(?:bearer|token)\s+(\S+)$/i.exec(authorization ?? "")?.[1] ?? basicPassword(authorization);
  return accounts.find((account) => account.token === token) ?? null;
};

/** To write holds to read. */
const isWithin = ({ scopes }: Account, { scope }: Pick<Route, "scope">, level: "read" | "write"): boolean =>
  scopes === null || scopes.get(scope) === "write" || (level === "read" && scopes.get(scope) === "read");

/** Any user name, with the token as password. */
const serveGit = async (
  { world, hooks, root }: { world: World; hooks: Webhooks; root: string },
  request: RigRequest,
): Promise<RigResponse> => {
  const route = gitRoute(request);
  const repository = world.repositories.get(route?.fullName ?? "");
  if (route === null || repository === undefined) return text(404, "Not found.");
  const by = callerOf(world, request);
  const isOpen = route.access === "read" && repository.visibility === "public";
  if (by === null && !isOpen)
    return { ...text(401, "Unauthorized"), headers: { "www-authenticate": 'Basic realm="Forgejo"' } };
  if (by !== null) {
    if (!mayAtLeast(repository, by, "read")) return text(404, "Not found.");
    if (!mayAtLeast(repository, by, route.access) || !isWithin(by, { scope: "repository" }, route.access))
      return text(403, "User permission denied for writing.");
  }
  const response = await gitHttpBackend(root, request, { ...route, user: by?.login ?? "" });
  if (route.rest === "git-receive-pack" && response.status === 200 && by !== null) {
    const call: Call = {
      world,
      hooks,
      request,
      by,
      params: {},
      query: new URLSearchParams(),
      body: undefined,
    };
    await followBranches({ ...call, repository });
  }
  return response;
};

const text = (status: number, message: string): RigResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: Buffer.from(`${message}\n`),
});
