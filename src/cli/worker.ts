import { defineCommand } from "./command.ts";
import { runService, serviceOptions } from "./service.ts";

export const command = defineCommand({
  description:
    "Works on threads beside a bot that `uwf start` serves: on the same machine, or on any other with the same DATABASE_URL and REDIS_URL. Serves /healthz, /readyz and /metrics on HOST and PORT, until Ctrl-C or SIGTERM: then running turns finish, and threads are handed back.",
  arguments: {},
  options: serviceOptions,
  examples: ["uwf worker", "PORT=3001 uwf worker --threads 4 2>> uwf.log"],
  run: ({ options }, context) => runService(context, { kind: "worker", name: "worker", options }),
});
