import { resolveThread } from "../../store/resolve.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { configHere, unsafeOption } from "../engine-session.ts";
import { threadArgument } from "./find-thread.ts";
import { runHere } from "./run-here.ts";

export const command = defineCommand({
  description:
    "Runs a thread in this process until it ends or waits for a person, and shows how it goes. Goes on where it was left, also after a crash. One that waits or has ended is shown as it is: `uwf thread resume` lets it go on.",
  arguments: { thread: threadArgument },
  options: { "unsafe-no-sandbox": unsafeOption, json: jsonOption },
  examples: ["uwf thread run 01JD3Q8M5T"],
  run: async ({ arguments: { thread }, options }, context) => {
    const config = await configHere(context, {
      sandbox: options["unsafe-no-sandbox"] ? "none" : "configured",
    });
    return runHere(context, {
      config,
      json: options.json,
      thread: ({ store }) => resolveThread(store, thread),
    });
  },
});
