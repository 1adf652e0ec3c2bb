import type { Hash } from "../../base/ids.ts";
import type { Body } from "../body.ts";
import { encodeNodes } from "../encode.ts";
import type { Node } from "../node.ts";
import type { Value } from "./run.ts";

/**
 * Nodes, and others that must be there, as the parameters of the schema's function `put_nodes`: hashes once, everything
 * else as places among them, counted from 1; all bodies in one piece.
 */
export const nodeValues = (
  nodes: readonly Node[],
  others: readonly (Hash | null | undefined)[] = [],
): Value[] => {
  const encoded = encodeNodes(nodes);
  const places = new Map<Hash, number>();
  const placeOf = (hash: Hash): number => {
    const place = places.get(hash) ?? places.size + 1;
    places.set(hash, place);
    return place;
  };
  const placeIfAny = (hash: Hash | null): number | null => (hash === null ? null : placeOf(hash));
  for (const { hash } of encoded) placeOf(hash);
  const refs = encoded.map((node) => node.refs.map(placeOf));
  const prevs = encoded.map(({ prev }) => placeIfAny(prev));
  const outputs = encoded.map(({ output }) => placeIfAny(output));
  for (const hash of others) if (hash !== null && hash !== undefined) placeOf(hash);
  const bodies = encoded.map(({ body }) => bytesOf(body));
  return [
    arrayOf([...places.keys()]),
    arrayOf(encoded.map(({ type }) => type)),
    arrayOf(prevs),
    arrayOf(outputs),
    arrayOf(refs.flat()),
    arrayOf(endsOf(refs)),
    Buffer.concat(bodies),
    arrayOf(endsOf(bodies)),
    arrayOf(encoded.map(({ body }) => typeof body !== "string")),
  ];
};

/** An array as the database reads it; none of these items needs quoting. */
const arrayOf = (items: readonly (string | number | boolean | null)[]): string =>
  `{${items.map((item) => item ?? "NULL").join(",")}}`;

const endsOf = (pieces: readonly { length: number }[]): number[] => {
  let end = 0;
  return pieces.map(({ length }) => {
    end += length;
    return end;
  });
};

const bytesOf = (body: Body): Buffer =>
  typeof body === "string"
    ? Buffer.from(body, "utf8")
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
