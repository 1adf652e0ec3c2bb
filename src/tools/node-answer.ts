import { normalizeId } from "../base/ids.ts";
import type { Node } from "../store/node.ts";
import { MAX_OUTPUT_CHARS } from "./bounded-output.ts";
import type { StoredNodes } from "./stored-nodes.ts";
import { cutText } from "./text-format.ts";
import type { ToolAnswer } from "./tool.ts";

/** People are shown 13 characters; fewer than eight name nothing. */
const HASH = /^[0-9A-HJKMNP-TV-Z]{8,52}$/;

/** A node's content as text for a model: the text itself, or JSON. Longer ones in parts, by their offset in characters. */
export const nodeAnswer = async (
  nodes: StoredNodes,
  { hash, offset }: { hash: string; offset: number },
): Promise<ToolAnswer> => {
  const wanted = normalizeId(hash);
  const failed = (text: string): ToolAnswer => ({ ok: false, text: `cas_get: ${text}` });
  if (!HASH.test(wanted))
    return failed(`${JSON.stringify(hash)} is no hash of a node, nor 8 or more characters of one.`);
  const found = await nodes.find(wanted);
  const [node] = found;
  if (node === undefined) return failed(`this thread has no node ${wanted}.`);
  if (found.length > 1) return failed(`several nodes begin with ${wanted}: give more characters.`);
  const text = contentOf(node);
  if (text === null) return { ok: true, text: `${node.type} ${node.hash} holds bytes that are no text.` };
  if (offset > 0 && offset >= text.length) return failed(`the node has ${text.length} characters.`);
  const part = cutText(text.slice(offset), MAX_OUTPUT_CHARS);
  const end = offset + part.length;
  const note =
    end < text.length ? `\n[characters ${offset} to ${end} of ${text.length}; go on with offset ${end}]` : "";
  return { ok: true, text: `${node.type} ${node.hash}\n${part}${note}` };
};

/** Null for bytes. */
const contentOf = (node: Node): string | null => {
  switch (node.type) {
    case "text":
      return node.payload.encoding === "utf8" ? node.payload.text : null;
    case "output":
      return JSON.stringify(node.payload.value, null, 2);
    default:
      return JSON.stringify(node.payload, null, 2);
  }
};
