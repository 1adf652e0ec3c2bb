import { inputError } from "../base/errors.ts";
import { type Hash, shortHash } from "../base/ids.ts";
import { type Body, decodeBody } from "./body.ts";
import type { NodeType, Payload } from "./payload.ts";

/** What an adapter reads of a node to give its payload. */
export type PayloadRow = { hash: Hash; type: NodeType; body: Body };

/** What is in the store was validated when it was made, so reading checks nothing. */
export const parseBody = <T extends NodeType>(body: Body): Payload<T> =>
  JSON.parse(decodeBody(body)) as Payload<T>;

/** The payload of the node asked for. Throws `node-missing` or `node-type`. */
export const payloadOf = <T extends NodeType>(
  type: T,
  hash: Hash,
  row: PayloadRow | undefined,
): Payload<T> => {
  if (row === undefined) throw nodeMissing(hash);
  if (row.type !== type) throw wrongType(hash, row.type, type);
  return parseBody<T>(row.body);
};

export const nodeMissing = (hash: Hash) =>
  inputError(
    "node-missing",
    `no node ${shortHash(hash)} in the store`,
    "Check the hash; its thread may have been removed.",
  );

export const wrongType = (hash: Hash, found: NodeType, wanted: string) =>
  inputError("node-type", `node ${shortHash(hash)} is a ${found} node, not a ${wanted} node`);
