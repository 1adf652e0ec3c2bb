import { defineCommand, jsonOption } from "../command.ts";
import { changeThread } from "./change-thread.ts";
import { threadArgument } from "./find-thread.ts";

export const command = defineCommand({
  description:
    "Queues a thread again: one that waits, or one that has ended. The note becomes part of the next role's task; rounds and budgets count anew. A worker takes it up, or `uwf thread run`.",
  arguments: {
    thread: threadArgument,
    note: { summary: "What the next role should know.", optional: true, rest: true },
  },
  options: { json: jsonOption },
  examples: ['uwf thread resume 01JD3Q8M5T "The files are in UTF-8."', "uwf thread resume 01JD3Q8M5T"],
  run: async ({ arguments: { thread, note }, options }, context) => {
    const { resumeThread } = await import("../../thread/commands.ts");
    const text = note.join(" ").trim();
    return changeThread(context, { thread, json: options.json }, (engine, id) =>
      resumeThread(engine, id, text === "" ? null : text),
    );
  },
});
