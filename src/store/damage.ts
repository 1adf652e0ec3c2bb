import { messageOf } from "../base/errors.ts";
import type { Hash } from "../base/ids.ts";
import { refsOf } from "./node.ts";
import { hashOf } from "./node-json.ts";
import { nodeTypes, payloads } from "./payload.ts";
import { type PayloadRow, parseBody } from "./read-node.ts";

/** What a node's rows show by themselves, and the refs of its payload that no edge leads along. */
export type Inspection = { problems: string[]; withoutEdge: Hash[] };

/** Recomputes a node's hash and compares its payload with its type and with `edges`, the refs as they are kept. */
export const inspect = (row: PayloadRow, edges: readonly Hash[]): Inspection => {
  if (!nodeTypes.includes(row.type)) return found(`its type ${row.type} is unknown`);
  try {
    const payload = parseBody(row.body);
    const actual = hashOf(row.type, payload);
    if (actual !== row.hash) return found(`its content has the hash ${actual}`);
    if (!payloads[row.type].safeParse(payload).success) return found(`its payload is not a ${row.type}'s`);
    return {
      problems: [],
      withoutEdge: refsOf(row.type, payload).filter((ref) => !edges.includes(ref)),
    };
  } catch (error) {
    return found(`its body cannot be read: ${messageOf(error)}`);
  }
};

const found = (problem: string): Inspection => ({ problems: [problem], withoutEdge: [] });

/** What is wrong with a ref that no edge leads along. */
export const edgeProblem = (ref: Hash, target: "there" | "missing"): string =>
  target === "there" ? `its edge to ${ref} is missing` : `it refers to ${ref}, which is missing`;
