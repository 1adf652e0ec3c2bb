import type { z } from "zod";
import { inputError } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { named } from "./node-json.ts";
import { type NodeType, type Payload, payloads } from "./payload.ts";
import { isRef } from "./ref.ts";
import { wellFormed } from "./well-formed.ts";

/** An immutable value, named by `hash` = SHA-256 over RFC 8785 JSON of `[type, payload]`. */
export type Node<T extends NodeType = NodeType> = {
  [K in T]: { hash: Hash; type: K; payload: Payload<K>; refs: Hash[] };
}[T];

/**
 * Validates a payload and makes its node: hash and refs derived, never given. Half surrogate pairs in its text become
 * U+FFFD. Throws `node-invalid` when the payload is not of its type, has unknown fields or nests too deeply.
 */
export const makeNode = <T extends NodeType>(type: T, payload: z.input<(typeof payloads)[T]>): Node<T> => {
  const valid = wellFormed(validate(type, payload));
  return named({ type, payload: valid, refs: refsOf(type, valid) }) as Node<T>;
};

const validate = (type: NodeType, payload: unknown): unknown => {
  try {
    const result = payloads[type].safeParse(payload);
    if (result.success) return result.data;
    throw inputError("node-invalid", `not a valid ${type} node: ${whatIsWrong(result.error)}`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw inputError("node-invalid", `not a valid ${type} node: it nests too deeply`);
  }
};

const whatIsWrong = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
    .join("; ");

/** The hashes inside a payload, by its type's schema; each once, in an order that is the content's alone. */
export const refsOf = (type: NodeType, payload: unknown): Hash[] => {
  const found = new Set<Hash>();
  collect(payloads[type], payload, found);
  return [...found];
};

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

const collect = (schema: z.core.$ZodType, value: unknown, found: Set<Hash>): void => {
  if (value === null || value === undefined) return;
  if (isRef(schema)) {
    found.add(value as Hash);
    return;
  }
  const def = (schema as z.ZodType).def as z.core.$ZodTypeDef & Record<string, unknown>;
  switch (def.type) {
    case "nullable":
    case "optional":
      collect(def.innerType as z.core.$ZodType, value, found);
      return;
    case "array":
      for (const item of value as unknown[]) collect(def.element as z.core.$ZodType, item, found);
      return;
    case "record":
      // By name, as the hash has it: names come in one order from a file and in another from a store.
      for (const [, item] of Object.entries(value).sort(byName))
        collect(def.valueType as z.core.$ZodType, item, found);
      return;
    case "object":
      for (const [key, field] of Object.entries(def.shape as Record<string, z.core.$ZodType>))
        collect(field, (value as Record<string, unknown>)[key], found);
      return;
    case "union": {
      const options = def.options as z.ZodType[];
      const match = options.find((option) => option.safeParse(value).success);
      if (match) collect(match, value, found);
      return;
    }
    default:
      return;
  }
};
