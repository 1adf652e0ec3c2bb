import { defineCommand, jsonOption } from "../command.ts";
import { configHere, withEngine } from "../engine-session.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { plainLine } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { shortId } from "./thread-text.ts";

export const command = defineCommand({
  description:
    "Removes a thread and its workspace. One that runs or waits for a worker has to be cancelled first.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread rm 01JD3Q8M5T"],
  run: async ({ arguments: { thread }, options }, context) => {
    const { removeThread } = await import("../../thread/commands.ts");
    const config = await configHere(context, { sandbox: "configured" });
    const removed = await withEngine(context, { config }, async ({ engine, store }) => {
      const record = await findThread(store, thread);
      await removeThread(engine, record.id);
      return record;
    });
    if (options.json) printJson(context, { id: removed.id, removed: true });
    else context.stdout.write(`${shortId(removed.id)} ${plainLine(removed.title)}: removed\n`);
    return exitCodes.done;
  },
});
