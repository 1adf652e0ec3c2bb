import { inputError } from "../../base/errors.ts";
import { shortHash } from "../../base/ids.ts";
import type { Node } from "../../store/node.ts";
import { resolveHash } from "../../store/resolve.ts";
import type { ReadStore } from "../store-reader.ts";

/** The node that a person means by a hash or its beginning. Throws as `resolveHash`. */
export const findNode = async (store: ReadStore, text: string): Promise<Node> => {
  const hash = await resolveHash(store, text);
  const node = await store.get(hash);
  if (node === undefined) throw inputError("node-missing", `node ${shortHash(hash)} was collected just now`);
  return node;
};
