import { json, type RigResponse } from "./http.ts";
import type { RuleContext } from "./rule.ts";

/** The page of a list that was asked for; `wrap` makes the body of it. */
export const paged = <T>(
  { request, origin }: Pick<RuleContext, "request" | "origin">,
  all: readonly T[],
  wrap: (page: readonly T[]) => unknown = (page) => page,
): RigResponse => {
  const query = new URLSearchParams(request.query);
  const size = Math.min(100, Number(query.get("per_page") ?? 30));
  const number = Number(query.get("page") ?? 1);
  const answer = json(200, wrap(all.slice((number - 1) * size, number * size)));
  if (number * size >= all.length) return answer;
  query.set("page", String(number + 1));
  const link = `<${origin}/api/v3${request.path}?${query}>; rel="next"`;
  return { ...answer, headers: { ...answer.headers, link } };
};
