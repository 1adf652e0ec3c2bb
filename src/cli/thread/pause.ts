import { defineCommand, jsonOption } from "../command.ts";
import { changeThread } from "./change-thread.ts";
import { threadArgument } from "./find-thread.ts";

export const command = defineCommand({
  description: "Lets a thread stop after the turn that is under way. Whoever runs it notices at once.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread pause 01JD3Q8M5T"],
  run: async ({ arguments: { thread }, options }, context) => {
    const { pauseThread } = await import("../../thread/commands.ts");
    return changeThread(context, { thread, json: options.json }, (engine, id) => pauseThread(engine, id));
  },
});
