import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { bugError, inputError } from "../../base/errors.ts";
import { crockford, type Hash, shortHash } from "../../base/ids.ts";
import type { Node } from "../node.ts";
import type { NodeType, Payload } from "../payload.ts";
import type { Store } from "../store.ts";
import { type Body, decodeBody, encodeBody } from "./body.ts";
import type { Connection, Sql } from "./connection.ts";

type NodeRow = { id: number; hash: Hash; type: NodeType; body: Body };

type NodeStore = Pick<Store, "put" | "get" | "load" | "loadAll" | "findHashes">;

export const nodeStore = (connection: Connection, now: () => number): NodeStore => ({
  put: (nodes) => connection.write((sql) => insertNodes(sql, nodes, now())),
  get: (hash) => connection.read((sql) => nodeOf(sql, hash)),
  load: <T extends NodeType>(type: T, hash: Hash) =>
    connection.read((sql) => payloadOf(type, hash, sql.one<NodeRow>(byHash, hash))),
  loadAll: <T extends NodeType>(type: T, hashes: readonly Hash[]) =>
    connection.read((sql) => {
      const rows = sql.all<NodeRow>(byHashes, JSON.stringify(hashes));
      const found = new Map(rows.map((row) => [row.hash, row]));
      return hashes.map((hash) => payloadOf(type, hash, found.get(hash)));
    }),
  findHashes: (prefix, limit) =>
    connection.read((sql) =>
      sql.all<{ hash: Hash }>(byPrefix, prefix, `${prefix}~`, limit).map((row) => row.hash),
    ),
});

const byHash = "SELECT id, hash, type, body FROM node WHERE hash = ?";
const byHashes = "SELECT id, hash, type, body FROM node WHERE hash IN (SELECT value FROM json_each(?))";
const byPrefix = "SELECT hash FROM node WHERE hash >= ? AND hash < ? ORDER BY hash LIMIT ?";

/** The row's id of a node that must be there. */
export const idOf = (sql: Sql, hash: Hash): number => {
  const row = sql.one<{ id: number }>("SELECT id FROM node WHERE hash = ?", hash);
  if (row === undefined) throw nodeMissing(hash);
  return row.id;
};

export const nodeMissing = (hash: Hash) =>
  inputError(
    "node-missing",
    `no node ${shortHash(hash)} in the store`,
    "It may have been collected; check the hash.",
  );

export const nodeType = (hash: Hash, found: NodeType, wanted: string) =>
  inputError("node-type", `node ${shortHash(hash)} is a ${found}, not a ${wanted}`);

const payloadOf = <T extends NodeType>(type: T, hash: Hash, row: NodeRow | undefined): Payload<T> => {
  if (row === undefined) throw nodeMissing(hash);
  if (row.type !== type) throw nodeType(hash, row.type, type);
  return JSON.parse(decodeBody(row.body)) as Payload<T>;
};

const nodeOf = (sql: Sql, hash: Hash): Node | undefined => {
  const row = sql.one<NodeRow>(byHash, hash);
  if (row === undefined) return undefined;
  const refs = sql.all<{ hash: Hash }>(
    "SELECT node.hash FROM edge JOIN node ON node.id = edge.dst WHERE edge.src = ? ORDER BY edge.position",
    row.id,
  );
  return {
    hash: row.hash,
    type: row.type,
    payload: JSON.parse(decodeBody(row.body)),
    refs: refs.map((ref) => ref.hash),
  } as Node;
};

/** Stores nodes inside a running transaction; those that are there already only get younger. */
export const insertNodes = (sql: Sql, nodes: readonly Node[], time: number): void => {
  for (const node of refsFirst(nodes)) insertNode(sql, node, time);
};

const insertNode = (sql: Sql, node: Node, time: number): void => {
  const json = canonicalJson(node);
  const { prev, output } = chainOf(node);
  const { changes, id } = sql.run(
    `INSERT INTO node (hash, type, prev, output, renewed_at, body)
     VALUES (?, ?, (SELECT id FROM node WHERE hash = ?), (SELECT id FROM node WHERE hash = ?), ?, ?)
     ON CONFLICT (hash) DO NOTHING`,
    node.hash,
    node.type,
    prev,
    output,
    time,
    encodeBody(json),
  );
  if (changes === 0) {
    sql.run("UPDATE node SET renewed_at = ? WHERE hash = ?", time, node.hash);
    return;
  }
  for (const [position, ref] of node.refs.entries()) {
    const edge = "INSERT INTO edge (src, position, dst) SELECT ?, ?, id FROM node WHERE hash = ?";
    if (sql.run(edge, id, position, ref).changes === 0) throw nodeMissing(ref);
  }
};

/** The payload's canonical JSON, after a check that it is what the hash says. */
const canonicalJson = (node: Node): string => {
  const json = canonicalize(node.payload);
  const digest = createHash("sha256").update(`["${node.type}",${json}]`).digest();
  if (json === undefined || crockford(digest) !== node.hash)
    throw bugError(`the ${node.type} node ${shortHash(node.hash)} was changed after it was made`);
  return json;
};

/** The node before this one in its chain (a first step or an end without steps follows its start), and its output. */
const chainOf = (node: Node): { prev: Hash | null; output: Hash | null } => {
  switch (node.type) {
    case "step":
      return { prev: node.payload.prev ?? node.payload.start, output: node.payload.output };
    case "thread-end":
      return { prev: node.payload.prev ?? node.payload.start, output: null };
    case "turn":
      return { prev: node.payload.prev, output: null };
    default:
      return { prev: null, output: null };
  }
};

/** The nodes in an order in which each comes after those among them that it refers to. */
const refsFirst = (nodes: readonly Node[]): Node[] => {
  const waiting = new Map(nodes.map((node) => [node.hash, node]));
  const ordered: Node[] = [];
  for (const first of nodes) {
    const stack = [first];
    for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
      const ref = waiting.has(node.hash)
        ? node.refs.find((hash) => hash !== node?.hash && waiting.has(hash))
        : undefined;
      const next = ref === undefined ? undefined : waiting.get(ref);
      if (next !== undefined) {
        stack.push(next);
        continue;
      }
      if (waiting.delete(node.hash)) ordered.push(node);
      stack.pop();
    }
  }
  return ordered;
};
