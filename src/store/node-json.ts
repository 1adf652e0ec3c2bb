import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { bugError } from "../base/errors.ts";
import { crockford, type Hash, shortHash } from "../base/ids.ts";
import type { NodeType } from "./payload.ts";

type Unnamed = { type: NodeType; payload: unknown; refs: readonly Hash[] };
type Named = Unnamed & { hash: Hash };
type Made = { hash: Hash; json: string };

/** SHA-256 over the RFC 8785 JSON of `[type, payload]`, as Crockford Base32. */
export const hashOf = (type: NodeType, payload: unknown): Hash => hashed(type, payload).hash;

const hashed = (type: NodeType, payload: unknown): Made => {
  const json = canonicalize(payload);
  if (json === undefined) throw bugError(`a ${type} node's payload is not JSON`);
  const digest = createHash("sha256").update(`["${type}",${json}]`, "utf8").digest();
  return { hash: crockford(digest) as Hash, json };
};

/** Of nodes made by this process: what was hashed, and the payload as it was then, which is faster to compare. */
const made = new WeakMap<Named, Made & { type: NodeType; plain: string }>();

/** Gives the node its hash. */
export const named = ({ type, payload, refs }: Unnamed): Named => {
  const { hash, json } = hashed(type, payload);
  const whole = { hash, type, payload, refs };
  made.set(whole, { hash, json, type, plain: JSON.stringify(payload) });
  return whole;
};

/** The RFC 8785 JSON of the node's payload. Throws when the node was changed after it was made. */
export const jsonOf = (node: Named): string => {
  const { type, hash, payload } = node;
  const known = made.get(node);
  if (known?.type === type && known.hash === hash && known.plain === JSON.stringify(payload))
    return known.json;
  const now = hashed(type, payload);
  if (now.hash === hash) return now.json;
  throw bugError(`the ${type} node ${shortHash(hash)} was changed after it was made`);
};
