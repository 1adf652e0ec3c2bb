import { shortHash } from "../../base/ids.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { plainLine, truncate } from "../terminal-text.ts";
import { describeNode } from "./describe-node.ts";
import { findNode } from "./find-node.ts";
import { treeLines } from "./tree.ts";

export const command = defineCommand({
  description:
    "Shows everything that a node leads to, as a tree. The node before another in a chain (a step, a turn) stands below it, not inside it; what was shown before is marked, not repeated.",
  arguments: { hash: { summary: "A node's hash, or its first 8 characters or more." } },
  options: { json: { ...jsonOption, summary: "Print a list of {hash, type, refs}, each node once." } },
  examples: ["uwf cas walk 7ZB3K9QW1M4XD"],
  run: ({ arguments: { hash }, options }, context) =>
    readStore(context, async (store) => {
      const root = (await findNode(store, hash)).hash;
      if (options.json) {
        const all = [];
        for await (const { hash, type, refs } of store.walk(root)) all.push({ hash, type, refs });
        printJson(context, all);
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      const width = context.stdout.columns() || Number.POSITIVE_INFINITY;
      for await (const { stem, node, hash, repeated } of treeLines(root, (one) => store.get(one))) {
        const name = `${shortHash(hash)} ${node?.type ?? "missing"}`;
        const about = node === undefined ? "" : repeated ? "(shown above)" : plainLine(describeNode(node));
        const room = width - stem.length - name.length - 2;
        context.stdout.write(
          `${style.dim(stem)}${style.cyan(shortHash(hash))} ${node?.type ?? "missing"} ${style.dim(truncate(about, room))}`.trimEnd() +
            "\n",
        );
      }
      return exitCodes.done;
    }),
});
