import { didYouMean } from "../../base/nearest.ts";
import type { Compiled } from "../compile.ts";
import { atKey, type Problem } from "../source/problem.ts";
import { END, START, SUSPEND } from "../workflow.ts";
import { reachable, reachesEnd } from "./routes.ts";

/** Edges that lead nowhere, roles that nothing leads to, and ways that never end. */
export const checkGraph = (compiled: Compiled): Problem[] => {
  const broken = endpointProblems(compiled);
  if (broken.length > 0 || compiled.workflow.moderator.length === 0) return broken;
  return [...startProblems(compiled), ...routeProblems(compiled)];
};

const endpointProblems = ({ workflow, edges }: Compiled): Problem[] => {
  const names = Object.keys(workflow.roles);
  const isRole = (name: string): boolean => Object.hasOwn(workflow.roles, name);
  const unknown = (name: string, also: string): string =>
    `unknown role "${name}"${didYouMean(name, [...names, also])}`;
  const told = new Set<string>();
  return workflow.moderator.flatMap(({ from, to }, index) => {
    const places = edges[index];
    if (!places) return [];
    const problems: Problem[] = [];
    // In the status form all edges of a role share the place of its name.
    const first = !told.has(JSON.stringify(places.from));
    told.add(JSON.stringify(places.from));
    const ends = [END, SUSPEND];
    if (ends.includes(from) && first)
      problems.push({ ...places.from, message: `no edge leads out of ${from}` });
    else if (from !== START && !ends.includes(from) && !isRole(from) && first)
      problems.push({ ...places.from, message: unknown(from, START) });
    if (to === START) problems.push({ ...places.to, message: `no edge leads to ${START}` });
    else if (from === START && to === SUSPEND)
      problems.push({
        ...places.to,
        message: "a thread begins with a role: there is nothing to wait for yet",
      });
    else if (!ends.includes(to) && !isRole(to)) problems.push({ ...places.to, message: unknown(to, END) });
    return problems;
  });
};

const startProblems = ({ workflow, form }: Compiled): Problem[] => {
  if (workflow.moderator.some(({ from, on }) => from === START && on !== "resume")) return [];
  const place = atKey(form === "table" ? "moderator" : "graph");
  const what = form === "table" ? `edge from ${START}` : `\`${START}\` with \`new\``;
  return [{ ...place, message: `there is no ${what}: where does a thread begin?` }];
};

const routeProblems = ({ workflow }: Compiled): Problem[] => {
  const reached = reachable(workflow);
  const ending = reachesEnd(workflow);
  const leaving = new Set(workflow.moderator.map(({ from }) => from));
  return Object.keys(workflow.roles).flatMap((role): Problem[] => {
    const place = atKey("roles", role);
    if (!reached.has(role)) return [{ ...place, message: `nothing leads to role "${role}"` }];
    if (!leaving.has(role))
      return [{ ...place, message: `role "${role}" has no edge out; ${END} is the end` }];
    return ending.has(role) ? [] : [{ ...place, message: `no way leads from role "${role}" to ${END}` }];
  });
};
