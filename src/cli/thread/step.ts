import { resolveThread } from "../../store/resolve.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { configHere, unsafeOption } from "../engine-session.ts";
import { numberOption } from "../parse-arguments.ts";
import { threadArgument } from "./find-thread.ts";
import { runHere } from "./run-here.ts";

export const command = defineCommand({
  description: "Runs a thread in this process for one step, or some, and hands it back.",
  arguments: { thread: threadArgument },
  options: {
    count: { type: "string", value: "n", summary: "So many steps (1)." },
    "unsafe-no-sandbox": unsafeOption,
    json: jsonOption,
  },
  examples: ["uwf thread step 01JD3Q8M5T", "uwf thread step 01JD3Q8M5T --count 2"],
  run: async ({ arguments: { thread }, options }, context) => {
    const maxSteps = numberOption(options.count ?? "1", {
      name: "thread step",
      option: "count",
      min: 1,
      whole: true,
    });
    const config = await configHere(context, {
      sandbox: options["unsafe-no-sandbox"] ? "none" : "configured",
    });
    return runHere(context, {
      config,
      json: options.json,
      maxSteps,
      thread: ({ store }) => resolveThread(store, thread),
    });
  },
});
