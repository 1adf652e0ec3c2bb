import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { z } from "zod";
import { bugError } from "../base/errors.ts";
import { crockford, type Hash } from "../base/ids.ts";
import { isRef, type NodeType, type Payload, payloads } from "./payload.ts";

/** An immutable value, named by `hash` = SHA-256 over RFC 8785 JSON of `[type, payload]`. */
export type Node<T extends NodeType = NodeType> = {
  [K in T]: { hash: Hash; type: K; payload: Payload<K>; refs: Hash[] };
}[T];

/** The canonical bytes that are hashed. */
export const canonicalBytes = (type: NodeType, payload: unknown): Buffer => {
  const text = canonicalize([type, payload]);
  if (text === undefined) throw bugError(`a ${type} node's payload is not JSON`);
  return Buffer.from(text, "utf8");
};

export const hashOf = (type: NodeType, payload: unknown): Hash =>
  crockford(createHash("sha256").update(canonicalBytes(type, payload)).digest()) as Hash;

/** Validates a payload and makes its node: hash and refs derived, never given. */
export const makeNode = <T extends NodeType>(type: T, payload: z.input<(typeof payloads)[T]>): Node<T> => {
  const parsed = payloads[type].parse(payload) as Payload<T>;
  return { hash: hashOf(type, parsed), type, payload: parsed, refs: refsOf(type, parsed) } as Node<T>;
};

/** The hashes inside a payload, by its type's schema; each once, in order of appearance. */
export const refsOf = (type: NodeType, payload: unknown): Hash[] => {
  const found = new Set<Hash>();
  collect(payloads[type], payload, found);
  return [...found];
};

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
      for (const item of Object.values(value)) collect(def.valueType as z.core.$ZodType, item, found);
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
