import type { JsonSchema } from "../base/json.ts";
import type { Edge } from "../store/payload.ts";
import type { RoleDefinition, WorkflowDefinition } from "./definition.ts";
import { atKey, atValue, type Place, type Problem } from "./source/problem.ts";
import { END, type Role, START, SUSPEND, type Workflow } from "./workflow.ts";

/** Where an edge and its parts stand in the file. */
type EdgePlaces = Record<"from" | "to" | "when" | "prompt", Place>;

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
  for (const [name, role] of Object.entries(definition.roles)) {
    problems.push(...roleProblems(name, role));
    roles[name] = compileRole(name, role);
    schemas[name] = atValue("roles", name, role.schema ? "schema" : "frontmatter");
  }
  const status = definition.moderator == null && definition.graph != null;
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

const composed = ["goal", "capabilities", "procedure", "output"] as const;

const roleProblems = (name: string, role: RoleDefinition): Problem[] => {
  const problems: Problem[] = [];
  const at = (field: keyof RoleDefinition, message: string): void => {
    problems.push({ ...atKey("roles", name, field), message });
  };
  const parts = composed.filter((field) => role[field] != null);
  if (role.schema != null && role.frontmatter != null)
    at("frontmatter", "`frontmatter` is another name of `schema`: keep one");
  if (role.schema == null && role.frontmatter == null)
    at("schema", `role "${name}" has no \`schema\`: the JSON Schema of what it answers`);
  if (role.approval != null && role.publish != null)
    at("approval", `what role "${name}" answers is published at once: let a role before it be approved`);
  if (role.workflow != null) {
    for (const field of ["systemPrompt", ...composed, "tools", "model"] as const)
      if (role[field] != null)
        at(field, `role "${name}" is played by a workflow, which has its own \`${field}\``);
  } else if (role.systemPrompt != null && parts[0] !== undefined) {
    at(parts[0], `\`systemPrompt\` and \`${parts[0]}\` say the same thing: keep one`);
  } else if (role.systemPrompt == null && role.goal == null)
    at("systemPrompt", `role "${name}" has no \`systemPrompt\` (or \`goal\`) and no \`workflow\``);
  return problems;
};

const compileRole = (name: string, role: RoleDefinition): Role => ({
  name,
  description: role.description ?? "",
  systemPrompt: role.systemPrompt ?? composePrompt(role),
  schema: (role.schema ?? role.frontmatter ?? {}) as JsonSchema,
  tools: role.tools ?? null,
  model: role.model ?? null,
  limits: role.limits ?? {},
  publish: role.publish ?? null,
  ...(role.approval == null ? {} : { approval: role.approval }),
  workflow: role.workflow ?? null,
});

const headings = {
  goal: "Goal",
  capabilities: "Capabilities",
  procedure: "Procedure",
  output: "Output",
} as const;

const composePrompt = (role: RoleDefinition): string =>
  composed
    .flatMap((field) => {
      const prose = role[field];
      if (prose == null) return [];
      const mark = (index: number): string => (field === "procedure" ? `${index + 1}.` : "-");
      const body =
        typeof prose === "string" ? prose : prose.map((line, index) => `${mark(index)} ${line}`).join("\n");
      return [`## ${headings[field]}\n\n${body}`];
    })
    .join("\n\n");

type PlacedEdge = { edge: Edge; places: EdgePlaces; problem?: Problem };

const endpoint = (name: string): string => (name === "__START__" ? START : name === "__END__" ? END : name);

const tableEdges = ({ moderator }: WorkflowDefinition): PlacedEdge[] =>
  (moderator ?? []).map(({ from, to, when, prompt, on }, index) => {
    const place = (field: string): Place => atValue("moderator", index, field);
    const edge = {
      from: endpoint(from),
      to: endpoint(to),
      when: when ?? null,
      prompt: prompt ?? null,
      on: on ?? null,
    };
    const places = { from: place("from"), to: place("to"), when: place("when"), prompt: place("prompt") };
    if (edge.on === null || edge.from === START) return { edge, places };
    return { edge, places, problem: { ...place("on"), message: `only an edge from ${START} has \`on\`` } };
  });

const statusEdges = ({ graph }: WorkflowDefinition): PlacedEdge[] =>
  Object.entries(graph ?? {}).flatMap(([from, targets]) =>
    Object.entries(targets).map(([status, { role, prompt }]): PlacedEdge => {
      const path = ["graph", from, status] as const;
      const places = {
        from: atKey("graph", from),
        to: atValue(...path, "role"),
        when: atKey(...path),
        prompt: atValue(...path, "prompt"),
      };
      const edge: Edge = {
        from: endpoint(from),
        to: endpoint(role),
        when: null,
        prompt: prompt ?? null,
        on: null,
      };
      if (edge.from !== START)
        return {
          edge: { ...edge, when: statusCondition(status) },
          places,
          ...statusProblem(status, places.when),
        };
      if (status === "new" || status === "resume") return { edge: { ...edge, on: status }, places };
      const message = `${START} has \`new\` and \`resume\`, not "${status}"`;
      return { edge, places, problem: { ...places.when, message } };
    }),
  );

/** CEL's string literals take JSON's escapes. */
const statusCondition = (status: string): string => `output["$status"] == ${JSON.stringify(status)}`;

const statusProblem = (status: string, place: Place): { problem?: Problem } =>
  status === SUSPEND
    ? { problem: { ...place, message: `${SUSPEND} has no edge: the thread waits for a person` } }
    : {};
