/** Any value that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON Schema as it stands in a workflow file or goes to a model. */
export type JsonSchema = { [key: string]: Json };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
