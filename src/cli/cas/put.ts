import { inputError, messageOf } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { makeNode as MakeNode } from "../../store/node.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { readInput } from "../read-input.ts";
import { withStore } from "../store-session.ts";

export const command = defineCommand({
  description:
    "Checks a payload against its node type, stores it, and prints the node's hash. It is collected when nothing leads to it for two days.",
  arguments: {
    type: { summary: "The node's type, such as text or role-schema." },
    file: { summary: "A file with the payload as JSON; - for standard input." },
  },
  options: { json: jsonOption },
  examples: ['echo \'{"encoding": "utf8", "text": "hello"}\' | uwf cas put text -'],
  run: async ({ arguments: { type, file }, options }, context) => {
    const [{ makeNode }, { nodeTypes }] = await Promise.all([
      import("../../store/node.ts"),
      import("../../store/payload.ts"),
    ]);
    const known = nodeTypes.find((one) => one === type);
    if (known === undefined)
      throw inputError(
        "usage",
        `"${type}" is no node type${didYouMean(type, nodeTypes)}`,
        `Types are: ${nodeTypes.join(", ")}.`,
      );
    const node = makeNode(known, parseJson(await readInput(file, context), file));
    await withStore(context, (store) => store.put([node]));
    if (options.json) printJson(context, { hash: node.hash, type: node.type, refs: node.refs });
    else context.stdout.write(`${node.hash}\n`);
    return exitCodes.done;
  },
});

/** Of no type yet: `makeNode` checks it. */
type Unchecked = Parameters<typeof MakeNode>[1];

const parseJson = (text: string, file: string): Unchecked => {
  try {
    return JSON.parse(text) as Unchecked;
  } catch (error) {
    throw inputError(
      "not-json",
      `${file === "-" ? "standard input" : file} is not JSON: ${messageOf(error)}`,
    );
  }
};
