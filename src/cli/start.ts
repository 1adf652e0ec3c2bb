import { defineCommand } from "./command.ts";
import { runService, serviceOptions } from "./service.ts";

export const command = defineCommand({
  description:
    "Serves the forge's webhooks and works on threads, until Ctrl-C or SIGTERM: then running turns finish, and threads are handed back for the next start or another worker. Logs are lines of JSON on standard error; LOG_LEVEL says how much.",
  arguments: {},
  options: serviceOptions,
  examples: ["uwf start", "PORT=8080 uwf start 2>> uwf.log", "uwf start --threads 0"],
  run: ({ options }, context) => runService(context, { kind: "bot", name: "start", options }),
});
