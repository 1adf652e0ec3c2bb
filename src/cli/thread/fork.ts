import { defineCommand, jsonOption } from "../command.ts";
import { usageError } from "../parse-arguments.ts";
import { changeThread } from "./change-thread.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { newThreadOptions } from "./new-thread-options.ts";

export const command = defineCommand({
  description:
    "Makes a new thread that shares another one's steps up to one of them, and goes on from there with the files as that step left them: queued, with a branch and a pull request of its own. The other thread stays as it is. Its agents play in the new one, too, but for those that --agent or --model name. A worker takes the new one up, or `uwf thread run`.",
  arguments: { thread: threadArgument },
  options: {
    at: {
      type: "string",
      value: "step",
      summary: "The last step to share: its number, or the first 8 characters or more of its hash.",
    },
    note: { type: "string", value: "text", summary: "What the next role should know." },
    agent: newThreadOptions.agent,
    model: newThreadOptions.model,
    json: jsonOption,
  },
  examples: [
    'uwf thread fork 01JD3Q8M5T --at 2 --note "Without the new dependency."',
    "uwf thread fork 01JD3Q8M5T --at 1 --agent developer=claude --model large",
  ],
  run: async ({ arguments: { thread }, options }, context) => {
    const { at, note = "" } = options;
    if (at === undefined) throw usageError("thread fork", '"uwf thread fork" needs --at <step>');
    const { forkThread } = await import("../../thread/fork.ts");
    return changeThread(context, { thread, json: options.json }, async (engine, id, config) => {
      const { otherAgentsHere } = await import("./other-agents.ts");
      const { store } = engine;
      const asked = { agents: options.agent, model: options.model };
      const others = await otherAgentsHere({ store, config }, await findThread(store, id), asked, context);
      return forkThread(engine, id, { at, note: note.trim() === "" ? null : note.trim(), ...others });
    });
  },
});
