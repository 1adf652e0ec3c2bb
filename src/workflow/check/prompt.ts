import type { JsonSchema } from "../../base/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Compiled } from "../compile.ts";
import { type Shape, shapesOf } from "../json-schema/shape.ts";
import { shapesWith, statusesOf } from "../json-schema/status.ts";
import type { Place, Problem } from "../source/problem.ts";
import { extraNames, type TemplateVariable, variablesOf } from "../template.ts";
import { type Role, START } from "../workflow.ts";
import { decided } from "./decided.ts";
import { lookUp } from "./look-up.ts";
import { hasSurelyRun } from "./routes.ts";

type Known = {
  /** Roles whose schema is one. */
  sound: ReadonlySet<string>;
  /** The edges lead from role to role: what comes before what is known. */
  routed: boolean;
};

/** Variables of an edge's prompt that no schema provides, or that may be missing when the edge is taken. */
export const checkPrompt = async (
  compiled: Compiled,
  { index, sound, routed }: Known & { index: number },
): Promise<Problem[]> => {
  const edge = compiled.workflow.moderator[index];
  const places = compiled.edges[index];
  if (!edge?.prompt || !places) return [];
  const placed = (at: number): Place & { at?: number } =>
    places.added !== undefined && at >= places.added.from ? places.added.place : { ...places.prompt, at };
  const reading = await variablesOf(edge.prompt);
  if (!reading.ok) return [{ ...placed(reading.at), message: `not a Liquid template: ${reading.message}` }];
  const role = compiled.workflow.roles[edge.from];
  const output = role && sound.has(role.name) ? await outputOn(compiled, { index, role }) : null;
  return reading.variables.flatMap((variable): Problem[] => {
    const message = problemOf(variable, { compiled, index, sound, routed, output });
    return message === null ? [] : [{ ...placed(variable.at), message }];
  });
};

type Output = { shapes: Shape[]; root: JsonSchema };

/** The alternatives of the role's output with which this edge is taken: edges before it take some away. */
const outputOn = async (
  { workflow }: Compiled,
  { index, role }: { index: number; role: Role },
): Promise<Output> => {
  const statuses = statusesOf(role.schema);
  if (!statuses) return { shapes: shapesOf(role.schema, role.schema), root: role.schema };
  const shapes = new Map<string, Shape>();
  for (const value of statuses.values) {
    const known = { field: statuses.field, value };
    if ((await decided(workflow.moderator[index]?.when ?? null, known)) === false) continue;
    const before = workflow.moderator.slice(0, index).filter(({ from }) => from === role.name);
    const answers = await Promise.all(before.map(({ when }) => decided(when, known)));
    if (answers.includes(true)) continue;
    for (const shape of shapesWith(role.schema, known))
      shapes.set(JSON.stringify([[...shape.properties], [...shape.required], shape.open]), shape);
  }
  return { shapes: [...shapes.values()], root: role.schema };
};

type Scope = Known & { compiled: Compiled; index: number; output: Output | null };

const problemOf = (variable: TemplateVariable, scope: Scope): string | null => {
  const [first, ...rest] = variable.segments;
  if (first === undefined) return null;
  if (first === "input")
    return rest.length === 0 || rest[0] === "size" ? null : "`input` is text: it has no fields";
  if (first === "steps") return stepProblem(variable, scope);
  const { compiled, index, output } = scope;
  if (compiled.workflow.moderator[index]?.from === START)
    return `\`${first}\` is not known before the first role; a prompt here can use \`input\``;
  if (output === null) return null;
  const path = first === "output" ? rest : variable.segments;
  // There, what is missing prints as nothing.
  const guarded = variable.guarded || (compiled.form === "status" && rest.length === 0);
  return fieldProblem(path, { variable: { ...variable, guarded }, ...output, others: extraNames });
};

const stepProblem = (
  variable: TemplateVariable,
  { compiled, index, sound, routed }: Scope,
): string | null => {
  const [, name, ...rest] = variable.segments;
  const { workflow } = compiled;
  const edge = workflow.moderator[index];
  if (name === undefined || !edge) return null;
  const role = Object.hasOwn(workflow.roles, name) ? workflow.roles[name] : undefined;
  if (!role)
    return `\`steps.${name}\`: unknown role "${name}"${didYouMean(String(name), Object.keys(workflow.roles))}`;
  if (routed && !variable.guarded && !hasSurelyRun(workflow, { role: role.name, edge }))
    return `role "${role.name}" may not have run when this edge is taken${advice(variable)}`;
  if (!sound.has(role.name)) return null;
  const { schema } = role;
  return fieldProblem(rest, { variable, shapes: shapesOf(schema, schema), root: schema, others: [] });
};

const fieldProblem = (
  path: readonly (string | number)[],
  { variable, shapes, root, others }: Output & { variable: TemplateVariable; others: readonly string[] },
): string | null => {
  const whole = variable.segments.join(".");
  const found = lookUp(path, { shapes, root });
  if (found.kind === "unknown") {
    const known = [...found.known, ...(found.depth === 0 ? others : [])];
    return `\`${whole}\`: no schema provides "${found.name}"${didYouMean(found.name, known)}`;
  }
  return found.kind === "optional" && !variable.guarded
    ? `\`${whole}\` may be missing${advice(variable)}`
    : null;
};

const advice = ({ segments }: TemplateVariable): string =>
  `: ask with {% if ${segments.join(".")} %}, or give it a default: {{ ${segments.join(".")} | default: "…" }}`;
