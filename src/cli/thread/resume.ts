import { defineCommand, jsonOption } from "../command.ts";
import { changeThread } from "./change-thread.ts";
import { threadArgument } from "./find-thread.ts";

export const command = defineCommand({
  description:
    "Queues a thread again: one that waits, or one that has ended. The note becomes part of the next role's task; rounds and budgets count anew. A worker takes it up, or `uwf thread run`. Where an answer waits for approval, --approve goes on with it, and a note without --approve has it changed.",
  arguments: {
    thread: threadArgument,
    note: { summary: "What the next role should know.", optional: true, rest: true },
  },
  options: {
    approve: { type: "boolean", summary: "Go on with the answer that waits for a person's approval." },
    json: jsonOption,
  },
  examples: [
    'uwf thread resume 01JD3Q8M5T "The files are in UTF-8."',
    "uwf thread resume 01JD3Q8M5T",
    "uwf thread resume --approve 01JD3Q8M5T",
  ],
  run: async ({ arguments: { thread, note }, options }, context) => {
    const [{ resumeThread }, { approveThread, requireNoApproval }] = await Promise.all([
      import("../../thread/commands.ts"),
      import("../../thread/approval.ts"),
    ]);
    const text = note.join(" ").trim();
    return changeThread(context, { thread, json: options.json }, async (engine, id) => {
      if (options.approve) return approveThread(engine, id, text === "" ? null : text);
      if (text === "") await requireNoApproval(engine.store, id);
      return resumeThread(engine, id, text === "" ? null : text);
    });
  },
});
