import { z } from "zod";
import type { Hash } from "../base/ids.ts";

const refs = z.registry<{ ref: true }>();

/** A hash inside a payload: what `refsOf` finds. */
export const ref = () => {
  const schema = z
    .string()
    .regex(/^[0-9A-HJKMNP-TV-Z]{52}$/, "not a node hash")
    .transform((text) => text as Hash);
  refs.add(schema, { ref: true });
  return schema;
};

/** True for the schemas that stand for a hash of another node. */
export const isRef = (schema: z.core.$ZodType): boolean => refs.has(schema as z.ZodType);
