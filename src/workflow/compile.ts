import type { JsonSchema } from "../base/json.ts";
import type { RoleDefinition, WorkflowDefinition } from "./definition.ts";
import { type EdgePlaces, tableEdges } from "./edges.ts";
import { composed, isSaid, rolePrompt } from "./role-prompt.ts";
import { atKey, atValue, type Place, type Problem } from "./source/problem.ts";
import { statusEdges } from "./status-edges.ts";
import { statusSchema } from "./status-schema.ts";
import type { Role, Workflow } from "./workflow.ts";

export type Compiled = {
  workflow: Workflow;
  /** In the order of `workflow.moderator`. */
  edges: readonly EdgePlaces[];
  /** By role; where a role's schema stands. */
  schemas: Readonly<Record<string, Place>>;
  form: "table" | "status";
  problems: readonly Problem[];
};

/** Brings either form of the file into the one shape that the engine runs, with what the file says twice or not at all. */
export const compile = (definition: WorkflowDefinition): Compiled => {
  const roles: Record<string, Role> = {};
  const schemas: Record<string, Place> = {};
  const problems: Problem[] = [];
  const status = definition.moderator == null && definition.graph != null;
  for (const [name, role] of Object.entries(definition.roles)) {
    problems.push(...roleProblems(name, role));
    const written = (role.schema ?? role.frontmatter ?? {}) as JsonSchema;
    const schema = status ? statusSchema(definition, { name, role }) : written;
    roles[name] = compileRole(name, { role, schema });
    schemas[name] = atValue("roles", name, role.schema ? "schema" : "frontmatter");
  }
  if (definition.moderator != null && definition.graph != null)
    problems.push({ ...atKey("graph"), message: "a workflow has `moderator` or `graph`, not both" });
  if (definition.moderator == null && definition.graph == null)
    problems.push({ ...atValue(), message: "missing `moderator` (or `graph`): the edges between the roles" });
  const edges = status ? statusEdges(definition) : tableEdges(definition);
  problems.push(...edges.flatMap(({ problem }) => problem ?? []));
  return {
    workflow: {
      name: definition.name,
      description: definition.description ?? "",
      roles,
      moderator: edges.map(({ edge }) => edge),
    },
    edges: edges.map(({ places }) => places),
    schemas,
    form: status ? "status" : "table",
    problems,
  };
};

const roleProblems = (name: string, role: RoleDefinition): Problem[] => {
  const problems: Problem[] = [];
  const at = (field: keyof RoleDefinition, message: string): void => {
    problems.push({ ...atKey("roles", name, field), message });
  };
  const parts = composed.filter((field) => isSaid(role[field]));
  if (role.schema != null && role.frontmatter != null)
    at("frontmatter", "`frontmatter` is another name of `schema`: keep one");
  if (role.schema == null && role.frontmatter == null)
    at("schema", `role "${name}" has no \`schema\`: the JSON Schema of what it answers`);
  if (role.approval != null && role.publish != null)
    at("approval", `what role "${name}" answers is published at once: let a role before it be approved`);
  if (role.workflow != null) {
    const own = [
      ...(["systemPrompt", ...composed, "extractPrompt", "model"] as const).filter((field) =>
        isSaid(role[field]),
      ),
      ...(["tools", "limits"] as const).filter((field) => role[field] != null),
    ];
    for (const field of own)
      at(field, `role "${name}" is played by a workflow, which has its own \`${field}\``);
  } else if (role.systemPrompt != null && parts[0] !== undefined) {
    at(parts[0], `\`systemPrompt\` and \`${parts[0]}\` say the same thing: keep one`);
  } else if (role.systemPrompt == null && !isSaid(role.goal))
    at("systemPrompt", `role "${name}" has no \`systemPrompt\` (or \`goal\`) and no \`workflow\``);
  return problems;
};

const compileRole = (name: string, { role, schema }: { role: RoleDefinition; schema: JsonSchema }): Role => ({
  name,
  description: role.description ?? "",
  systemPrompt: rolePrompt(role),
  schema,
  tools: role.tools ?? null,
  model: role.model ?? null,
  limits: role.limits ?? {},
  publish: role.publish ?? null,
  ...(role.approval == null ? {} : { approval: role.approval }),
  workflow: role.workflow ?? null,
});
