import { z } from "zod";
import { RoleLimits } from "../store/payload.ts";

/** Names of roles and workflows stand in file names, branches and expressions. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const name = z
  .string()
  .regex(
    namePattern,
    "must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first",
  );

const roleName = name.refine(
  (text) => !(text in Object.prototype),
  "is a word of JavaScript: choose another name",
);

const text = z.string().trim().min(1);
/** Files say "none" as an empty list or text, too. */
const line = z.string().trim();
const prose = z.union([line, z.array(line)]);

/** A JSON Schema as far as YAML can tell; the checks know more. */
const schema = z.record(z.string(), z.json());

export const RoleDefinition = z.strictObject({
  description: z.string().nullish(),
  systemPrompt: text.nullish(),
  goal: prose.nullish(),
  capabilities: prose.nullish(),
  procedure: prose.nullish(),
  output: prose.nullish(),
  /** What to pay attention to in the answer, in files whose agents answered with text. */
  extractPrompt: line.nullish(),
  tools: z.array(z.string()).nullish(),
  schema: schema.nullish(),
  /** Another name of `schema`. */
  frontmatter: schema.nullish(),
  model: text.nullish(),
  limits: RoleLimits.nullish(),
  publish: z.enum(["pull-request", "review"]).nullish(),
  approval: z.literal("required").nullish(),
  workflow: name.nullish(),
});
export type RoleDefinition = z.infer<typeof RoleDefinition>;

export const EdgeDefinition = z.strictObject({
  from: z.string(),
  to: z.string(),
  when: z.string().nullish(),
  prompt: z.string().nullish(),
  on: z.enum(["new", "resume"]).nullish(),
});

export const Target = z.strictObject({
  role: z.string(),
  prompt: z.string().nullish(),
  /** A template as well: the directory that the role is told to work in. */
  location: z.string().nullish(),
});

/** A workflow file, as written: either form of the moderator. */
export const WorkflowDefinition = z.strictObject({
  version: z.literal(1).default(1),
  name,
  description: z.string().nullish(),
  roles: z
    .record(roleName, RoleDefinition)
    .refine((roles) => Object.keys(roles).length > 0, "must have at least one role")
    .refine((roles) => Object.keys(roles).length <= 64, "must have at most 64 roles"),
  /** The table. */
  moderator: z.array(EdgeDefinition).min(1).max(500).nullish(),
  /** The status form: role → the output's `$status` → who is next. */
  graph: z.record(z.string(), z.record(z.string(), Target)).nullish(),
});
export type WorkflowDefinition = z.infer<typeof WorkflowDefinition>;
