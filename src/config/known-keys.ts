import { z } from "zod";

/** The field names that the schema allows at a path; none where names are free. */
export const knownKeys = (schema: z.ZodType, path: readonly (string | number)[]): string[] => {
  let here: unknown = bare(schema);
  for (const key of path) {
    if (here instanceof z.ZodObject) here = bare(here.shape[String(key)]);
    else if (here instanceof z.ZodRecord) here = bare(here.valueType);
    else return [];
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
};

/** The schema without its default, its transformation, and what makes it optional. */
const bare = (schema: unknown): unknown => {
  let inner = schema instanceof z.ZodPipe ? schema.in : schema;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable
  ) {
    inner = inner.unwrap();
  }
  return inner;
};
