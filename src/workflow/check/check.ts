import { didYouMean } from "../../base/nearest.ts";
import type { Compiled } from "../compile.ts";
import { checkCondition } from "../condition.ts";
import { atValue, type Problem } from "../source/problem.ts";
import { serverTool } from "../tool-names.ts";
import { START } from "../workflow.ts";
import { checkGraph } from "./graph.ts";
import { metaschemaCheck } from "./metaschema.ts";
import { checkPrompt } from "./prompt.ts";
import { checkSchema } from "./schema.ts";
import { checkStatuses } from "./statuses.ts";

/** Everything that is wrong with a compiled workflow, as far as it shows before it runs. */
export const check = async (
  compiled: Compiled,
  { tools }: { tools: readonly string[] },
): Promise<Problem[]> => {
  const problems: Problem[] = [...compiled.problems, ...toolProblems(compiled, tools)];
  const metaschema = await metaschemaCheck();
  const sound = new Set<string>();
  for (const role of Object.values(compiled.workflow.roles)) {
    const place = compiled.schemas[role.name] ?? atValue("roles", role.name);
    const found = checkSchema(role, { place, metaschema });
    if (found.length === 0) sound.add(role.name);
    problems.push(...found);
  }
  const graph = checkGraph(compiled);
  problems.push(...graph, ...(await conditionProblems(compiled, sound)));
  problems.push(...(await checkStatuses(compiled, sound)));
  for (const index of compiled.edges.keys())
    problems.push(...(await checkPrompt(compiled, { index, sound, routed: graph.length === 0 })));
  return problems;
};

const toolProblems = ({ workflow }: Compiled, known: readonly string[]): Problem[] =>
  Object.values(workflow.roles).flatMap(({ name, tools }) =>
    (tools ?? []).flatMap((tool, index, all): Problem[] => {
      const place = atValue("roles", name, "tools", index);
      if (!known.includes(tool) && serverTool(tool) === null)
        return [{ ...place, message: `unknown tool "${tool}"${didYouMean(tool, known)}` }];
      return all.indexOf(tool) < index ? [{ ...place, message: `the tool "${tool}" is there twice` }] : [];
    }),
  );

/** Fields of a role whose schema is broken are not known: nothing is said about them. */
const conditionProblems = async (
  { workflow, edges, form }: Compiled,
  sound: ReadonlySet<string>,
): Promise<Problem[]> => {
  // In the status form the conditions are ours.
  if (form === "status") return [];
  const problems: Problem[] = [];
  const schemas = Object.fromEntries(
    Object.values(workflow.roles).map((role) => [role.name, sound.has(role.name) ? role.schema : {}]),
  );
  for (const [index, { from, when }] of workflow.moderator.entries()) {
    const places = edges[index];
    if (when === null || !places) continue;
    // An edge from nowhere is a problem of its own; its condition is checked as far as it goes.
    const output = from === START ? null : (schemas[from] ?? {});
    const problem = await checkCondition(when, { output, schemas });
    if (problem) problems.push({ ...places.when, ...problem });
  }
  return problems;
};
