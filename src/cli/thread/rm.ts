import { AppError } from "../../base/errors.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { configHere, withEngine } from "../engine-session.ts";
import { exitCodes } from "../exit-code.ts";
import { deletedText } from "../format-collection.ts";
import { printJson } from "../print.ts";
import { plainLine } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { shortId } from "./thread-text.ts";

export const command = defineCommand({
  description:
    "Removes a thread and its workspace, and collects nodes as `uwf gc` does: its own once they are old enough. One that runs or waits for a worker has to be cancelled first.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread rm 01JD3Q8M5T"],
  run: async ({ arguments: { thread }, options }, context) => {
    const [{ removeThread }, { collectGarbage }] = await Promise.all([
      import("../../thread/commands.ts"),
      import("../../store/collect-garbage.ts"),
    ]);
    const config = await configHere(context, { sandbox: "unneeded" });
    const { removed, collection } = await withEngine(context, { config }, async ({ engine, store }) => {
      const record = await findThread(store, thread);
      await removeThread(engine, record.id);
      const collection = await collectGarbage(store, { holder: engine.holder }).catch(unlessCollecting);
      return { removed: record, collection };
    });
    const collected = collection?.collected ?? null;
    if (options.json) printJson(context, { id: removed.id, removed: true, collected });
    else {
      const also = collection === null || collected === 0 ? "" : `; ${deletedText(collection)} deleted`;
      context.stdout.write(`${shortId(removed.id)} ${plainLine(removed.title)}: removed${also}\n`);
    }
    return exitCodes.done;
  },
});

/** Another process does it already: what it does not find is found the next time. */
const unlessCollecting = (error: unknown): null => {
  if (error instanceof AppError && error.code === "collecting") return null;
  throw error;
};
