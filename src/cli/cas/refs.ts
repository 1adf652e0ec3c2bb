import { shortHash } from "../../base/ids.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { renderTable } from "../table.ts";
import { plainLine } from "../terminal-text.ts";
import { describeNode } from "./describe-node.ts";
import { findNode } from "./find-node.ts";

export const command = defineCommand({
  description: "Lists the nodes that a node refers to directly.",
  arguments: { hash: { summary: "A node's hash, or its first 8 characters or more." } },
  options: { json: jsonOption },
  examples: ["uwf cas refs 7ZB3K9QW1M4XD"],
  run: ({ arguments: { hash }, options }, context) =>
    readStore(context, async (store) => {
      const node = await findNode(store, hash);
      const found = await Promise.all(node.refs.map((ref) => store.get(ref)));
      const nodes = node.refs.map((ref, index) => ({ hash: ref, node: found[index] }));
      if (options.json) {
        printJson(
          context,
          nodes.map((one) => ({ hash: one.hash, type: one.node?.type ?? null })),
        );
        return exitCodes.done;
      }
      if (nodes.length === 0) {
        context.stderr.write(`The ${node.type} node ${shortHash(node.hash)} refers to no other.\n`);
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      const rows = nodes.map((one) => [
        shortHash(one.hash),
        one.node?.type ?? "missing",
        one.node === undefined ? "" : plainLine(describeNode(one.node)),
      ]);
      const columns = [
        { title: "HASH", paint: style.cyan },
        { title: "TYPE" },
        { title: "ABOUT", flexible: true as const },
      ];
      context.stdout.write(renderTable(columns, rows, { width: context.stdout.columns(), head: style.dim }));
      return exitCodes.done;
    }),
});
