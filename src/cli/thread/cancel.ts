import { defineCommand, jsonOption } from "../command.ts";
import { changeThread } from "./change-thread.ts";
import { threadArgument } from "./find-thread.ts";

export const command = defineCommand({
  description: "Ends a thread now. The command that it runs is killed; the partial work is kept.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread cancel 01JD3Q8M5T"],
  run: async ({ arguments: { thread }, options }, context) => {
    const { cancelThread } = await import("../../thread/commands.ts");
    return changeThread(context, { thread, json: options.json }, (engine, id) => cancelThread(engine, id));
  },
});
