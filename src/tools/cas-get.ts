import { z } from "zod";
import { nodeAnswer } from "./node-answer.ts";
import { noNodes } from "./stored-nodes.ts";
import { defineTool } from "./tool.ts";

export const casGet = defineTool({
  name: "cas_get",
  description:
    "Read a node of this thread's record by its hash, or by the first 8 or more characters of it: the output of an earlier " +
    "step, a kept text, a turn. Use it when a task or an output names a hash.",
  effect: "read",
  input: z.object({
    hash: z.string().describe("The hash, as it is written."),
    offset: z.int().min(0).default(0).describe("Where to go on in a long text, in characters."),
  }),
  run: (input, { nodes }) => nodeAnswer(nodes ?? noNodes, input),
});
