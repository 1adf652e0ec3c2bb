import { defineCommand, jsonOption } from "../command.ts";
import { usageError } from "../parse-arguments.ts";
import { changeThread } from "./change-thread.ts";
import { threadArgument } from "./find-thread.ts";

export const command = defineCommand({
  description:
    "Makes a new thread that shares another one's steps up to one of them, and goes on from there with the files as that step left them: queued, with a branch and a pull request of its own. The other thread stays as it is. A worker takes the new one up, or `uwf thread run`.",
  arguments: { thread: threadArgument },
  options: {
    at: {
      type: "string",
      value: "step",
      summary: "The last step to share: its number, or the first 8 characters or more of its hash.",
    },
    note: { type: "string", value: "text", summary: "What the next role should know." },
    json: jsonOption,
  },
  examples: ['uwf thread fork 01JD3Q8M5T --at 2 --note "Without the new dependency."'],
  run: async ({ arguments: { thread }, options }, context) => {
    const { at, note = "" } = options;
    if (at === undefined) throw usageError("thread fork", '"uwf thread fork" needs --at <step>');
    const { forkThread } = await import("../../thread/fork.ts");
    return changeThread(context, { thread, json: options.json }, (engine, id) =>
      forkThread(engine, id, { at, note: note.trim() === "" ? null : note.trim() }),
    );
  },
});
