import { json, type RigRequest, type RigResponse } from "./http.ts";
import type { Tokens } from "./tokens.ts";
import { tokenOf } from "./tokens.ts";

type Level = "read" | "write";
/** One of these is enough, as GitHub's page "Permissions required for GitHub Apps" has it; none: every token may. */
type Need = { method: string; path: RegExp; anyOf: readonly (readonly [permission: string, level: Level])[] };

const inside = (rest: string): RegExp => new RegExp(`^/repos/[^/]+/[^/]+${rest}$`);
const talk = (level: Level): Need["anyOf"] => [
  ["issues", level],
  ["pull_requests", level],
];

/** Every call of the API that the bot makes with an installation's token. */
const needs: readonly Need[] = [
  { method: "GET", path: inside(""), anyOf: [] },
  { method: "GET", path: inside("/collaborators/[^/]+/permission"), anyOf: [] },
  { method: "GET", path: /^\/users\/[^/]+$/, anyOf: [] },
  { method: "GET", path: inside("/contents/.*"), anyOf: [["contents", "read"]] },
  { method: "GET", path: inside("/issues/\\d+"), anyOf: talk("read") },
  { method: "GET", path: inside("/issues/\\d+/comments"), anyOf: talk("read") },
  { method: "POST", path: inside("/issues/\\d+/comments"), anyOf: talk("write") },
  { method: "PATCH", path: inside("/issues/comments/\\d+"), anyOf: talk("write") },
  { method: "DELETE", path: inside("/issues/comments/\\d+"), anyOf: talk("write") },
  { method: "POST", path: inside("/issues/(?:comments/)?\\d+/reactions"), anyOf: talk("write") },
  { method: "GET", path: inside("/pulls(?:/\\d+.*)?"), anyOf: [["pull_requests", "read"]] },
  { method: "POST", path: inside("/pulls.*"), anyOf: [["pull_requests", "write"]] },
  { method: "PATCH", path: inside("/pulls/\\d+"), anyOf: [["pull_requests", "write"]] },
  { method: "GET", path: inside("/commits/[^/]+/check-runs"), anyOf: [["checks", "read"]] },
  { method: "GET", path: inside("/check-runs/\\d+/annotations"), anyOf: [["checks", "read"]] },
  { method: "POST", path: inside("/check-runs"), anyOf: [["checks", "write"]] },
  { method: "PATCH", path: inside("/check-runs/\\d+"), anyOf: [["checks", "write"]] },
  { method: "GET", path: inside("/commits/[^/]+/status"), anyOf: [["statuses", "read"]] },
  { method: "GET", path: inside("/actions/jobs/\\d+/logs"), anyOf: [["actions", "read"]] },
  { method: "POST", path: /^\/(?:api\/)?graphql$/, anyOf: [["pull_requests", "read"]] },
  { method: "GET", path: /^\/installation\/repositories$/, anyOf: [] },
  { method: "DELETE", path: /^\/installation\/token$/, anyOf: [] },
];

/** GitHub's refusal of what an installation's token may not do; null where it may, or is another's. */
export const lacking = (tokens: Tokens, request: RigRequest): RigResponse | null => {
  const holder = tokens.holder(tokenOf(request) ?? "");
  if (holder === null || "login" in holder) return null;
  const repository = /^\/repos\/[^/]+\/([^/]+)/.exec(request.path)?.[1];
  if (repository !== undefined && !(holder.repositories?.includes(repository) ?? true))
    return json(404, { message: "Not Found" });
  const need = needs.find(({ method, path }) => method === request.method && path.test(request.path));
  const isEnough = need?.anyOf.some(([permission, level]) => {
    const granted = holder.permissions[permission];
    return granted === "write" || granted === level;
  });
  if (need !== undefined && (need.anyOf.length === 0 || isEnough)) return null;
  return json(403, { message: "Resource not accessible by integration" });
};
