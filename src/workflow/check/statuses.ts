import type { Compiled } from "../compile.ts";
import { type Statuses, statusesOf } from "../json-schema/status.ts";
import { atKey, type Problem } from "../source/problem.ts";
import { START } from "../workflow.ts";
import { decided } from "./decided.ts";

/** Statuses without an edge, edges without a status, and edges that another always comes before. */
export const checkStatuses = async (compiled: Compiled, sound: ReadonlySet<string>): Promise<Problem[]> => {
  const problems = shadowed(compiled);
  for (const role of Object.values(compiled.workflow.roles)) {
    if (!sound.has(role.name)) continue;
    const statuses = statusesOf(role.schema);
    if (compiled.form === "status" && isRouted(compiled, role.name) && statuses?.field !== "$status")
      problems.push({
        ...atKey("roles", role.name),
        message: `role "${role.name}" is routed by its \`$status\`, but its schema requires no \`$status\` with fixed values`,
      });
    else if (statuses) problems.push(...(await uncovered(compiled, { role: role.name, statuses })));
  }
  return problems;
};

/** An edge for whatever the status is asks for none. */
const isRouted = ({ workflow }: Compiled, role: string): boolean =>
  workflow.moderator.some(({ from, when }) => from === role && when !== null);

const shadowed = ({ workflow, edges }: Compiled): Problem[] =>
  workflow.moderator.flatMap((edge, index): Problem[] => {
    const before = workflow.moderator.slice(0, index);
    const always = before.some(
      ({ from, when, on }) => from === edge.from && when === null && (on === null || on === edge.on),
    );
    const places = edges[index];
    if (!always || !places) return [];
    const who = edge.from === START ? START : `role "${edge.from}"`;
    return [{ ...places.from, message: `never taken: an edge of ${who} before this one always holds` }];
  });

const uncovered = async (
  { workflow, edges, form, schemas }: Compiled,
  { role, statuses: { field, values } }: { role: string; statuses: Statuses },
): Promise<Problem[]> => {
  const problems: Problem[] = [];
  const open = new Set(values);
  const possible = new Set<string>();
  for (const [index, { from, when }] of workflow.moderator.entries()) {
    if (from !== role) continue;
    const answers = await Promise.all(values.map((value) => decided(when, { field, value })));
    for (const [at, value] of values.entries()) if (answers[at] !== false) possible.add(value);
    const places = edges[index];
    if (when === null || !places || values.some((value, at) => open.has(value) && answers[at] !== false)) {
      for (const [at, value] of values.entries()) if (answers[at] === true) open.delete(value);
      continue;
    }
    const why = answers.every((answer) => answer === false)
      ? `never taken: \`${field}\` of role "${role}" is one of ${list(values)}`
      : `never taken: edges of role "${role}" before this one hold for every \`${field}\` that this is for`;
    problems.push({ ...places.when, message: why });
  }
  const left = values.filter((value) => !possible.has(value));
  if (left.length === 0) return problems;
  const message = `${field} ${list(left)} of role "${role}" ${left.length === 1 ? "has" : "have"} no edge`;
  return [
    ...problems,
    { ...(form === "status" ? atKey("graph", role) : (schemas[role] ?? atKey("roles", role))), message },
  ];
};

const list = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(", ");
