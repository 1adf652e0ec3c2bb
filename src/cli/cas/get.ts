import canonicalize from "canonicalize";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { plainText } from "../terminal-text.ts";
import { findNode } from "./find-node.ts";

export const command = defineCommand({
  description: "Prints a node of the store: its type, its whole hash and its payload.",
  arguments: { hash: { summary: "A node's hash, or its first 8 characters or more." } },
  options: {
    json: { type: "boolean", summary: "Print hash, type, payload and refs as canonical JSON (RFC 8785)." },
  },
  examples: ["uwf cas get 7ZB3K9QW1M4XD", "uwf cas get 7ZB3K9QW1M4XD --json | jq .payload"],
  run: ({ arguments: { hash }, options }, context) =>
    readStore(context, async (store) => {
      const node = await findNode(store, hash);
      if (options.json) {
        context.stdout.write(`${canonicalize(node)}\n`);
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      context.stdout.write(`${style.bold(node.type)} ${style.dim(node.hash)}\n`);
      const readable =
        node.type === "text" && node.payload.encoding === "utf8"
          ? node.payload.text.replace(/\n$/, "")
          : JSON.stringify(node.payload, null, 2);
      context.stdout.write(`${plainText(readable)}\n`);
      return exitCodes.done;
    }),
});
