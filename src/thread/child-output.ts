import type { z } from "zod";
import { isObject, type Json } from "../base/json.ts";
import type { ThreadStatus } from "../store/store.ts";
import { outputProblems } from "../workflow/schema.ts";
import { type Role, SUSPEND } from "../workflow/workflow.ts";

/** How a child thread has stopped, and what its last role answered. */
export type ChildResult = {
  /** The workflow's name. */
  workflow: string;
  status: Exclude<ThreadStatus, "queued" | "running">;
  reason: string | null;
  output: Json;
};

type Wanted<T> = { role: Pick<Role, "name" | "schema">; schema: z.ZodType<T> };

/**
 * What a child's end means as the output of the role that it played. Completed: what its last role answered, without
 * the properties that the role's schema does not have. Failed or cancelled: the words for a failure that the schema has
 * (`status` or `$status` may be "failed", `success` or `ok` be false, and `reason`, `summary` or `error` say why). When
 * that does not fit, and when the child waits for a person, the role waits for a person, with the reason.
 */
export const roleOutput = <T>(result: ChildResult, { role, schema }: Wanted<T>): T => {
  const { workflow, status, reason, output } = result;
  if (status === "paused" || status === "suspended") return wait(reason ?? `The workflow ${workflow} waits.`);
  const isDone = status === "completed";
  const value = isDone ? within(output, role) : failure(result, role);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  if (!isDone) return wait(whyFailed(result));
  const problems = outputProblems(read.error, value).join("; ");
  return wait(
    `The workflow ${workflow} has ended with an answer that ${role.name} cannot give: ${problems}.`,
  );
};

const wait = <T>(reason: string): T => ({ $status: SUSPEND, reason }) as T;

/** Those of the schema, or of each of its alternatives but the one that waits for a person. */
const propertiesOf = ({ schema }: Pick<Role, "schema">): Record<string, unknown> =>
  Object.assign(
    {},
    ...[schema, schema.anyOf, schema.oneOf].flat().flatMap((shape) => {
      const properties = isObject(shape) && isObject(shape.properties) ? shape.properties : {};
      const status = properties.$status;
      return isObject(status) && status.const === SUSPEND ? [] : [properties];
    }),
  );

/** A schema that says which properties it has is given no others. */
const within = (output: Json, role: Pick<Role, "schema">): Json => {
  const known = propertiesOf(role);
  if (!isObject(output) || Object.keys(known).length === 0) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => Object.hasOwn(known, name))) as Json;
};

const failure = (result: ChildResult, role: Pick<Role, "schema">): Json => {
  const words = { status: "failed", $status: "failed", success: false, ok: false };
  const why = whyFailed(result);
  const all: Record<string, Json> = { ...words, reason: why, summary: why, error: why };
  const known = propertiesOf(role);
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(known, name)));
};

const whyFailed = ({ workflow, status, reason }: ChildResult): string =>
  `The workflow ${workflow} ${status === "cancelled" ? "was cancelled" : "failed"}${reason === null ? "." : `: ${reason}`}`;
