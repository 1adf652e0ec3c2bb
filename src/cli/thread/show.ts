import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { styleFor } from "../style.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { renderSituation } from "./render-situation.ts";
import { readSituation, situationJson } from "./situation.ts";

export const command = defineCommand({
  description:
    "Shows where a thread stands: its state and why, its roles, its result, its cost, and what to do next.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread show 01JD3Q8M5T"],
  run: ({ arguments: { thread }, options }, context) =>
    readStore(context, async (store) => {
      const situation = await readSituation(store, await findThread(store, thread));
      if (options.json) printJson(context, situationJson(situation));
      else {
        const style = await styleFor(context.stdout, context);
        context.stdout.write(renderSituation(situation, { style, now: context.now() }));
      }
      return exitCodes.done;
    }),
});
