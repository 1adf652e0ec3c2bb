import type { JsonSchema } from "../base/json.ts";
import type { Edge, RoleLimits } from "../store/payload.ts";

export const START = "$START";
export const END = "$END";
/** What a role answers as `$status` to wait for a person, and where an edge leads that does. */
export const SUSPEND = "$SUSPEND";

/** One kind of work. */
export type Role = {
  name: string;
  description: string;
  systemPrompt: string;
  /** JSON Schema of the role's output. */
  schema: JsonSchema;
  /** null: every built-in tool. */
  tools: readonly string[] | null;
  /** The alias of a configured model; null: the default. */
  model: string | null;
  limits: RoleLimits;
  /** What the engine publishes of the role's answer; null: nothing. */
  publish: "pull-request" | "review" | null;
  /** A person has to approve what the role answers before the thread goes on. */
  approval?: "required" | undefined;
  /** The name of the workflow that plays the role; null: an agent does. */
  workflow: string | null;
};

/** A checked workflow: both forms of the moderator end in one table. */
export type Workflow = {
  name: string;
  description: string;
  roles: Readonly<Record<string, Role>>;
  /** Tried in order. */
  moderator: readonly Edge[];
};
