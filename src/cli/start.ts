import { defineCommand } from "./command.ts";
import { configHere, unsafeOption } from "./engine-session.ts";
import { exitCodes } from "./exit-code.ts";
import { logEvent } from "./log-event.ts";

export const command = defineCommand({
  description:
    "Serves the forge's webhooks and works on threads, until Ctrl-C or SIGTERM: then running turns finish, and threads are handed back for the next start. Logs are lines of JSON on standard error; LOG_LEVEL says how much.",
  arguments: {},
  options: { "unsafe-no-sandbox": unsafeOption },
  examples: ["uwf start", "PORT=8080 uwf start 2>> uwf.log"],
  run: async ({ options }, context) => {
    const config = await configHere(context, {
      sandbox: options["unsafe-no-sandbox"] ? "none" : "configured",
    });
    const [{ pino, destination }, { startBot }] = await Promise.all([import("pino"), import("../app.ts")]);
    const log = pino({ name: "uwf", level: config.logLevel }, destination({ dest: 2, sync: true }));
    const signal = context.interruption(() =>
      context.stderr.write("Stopping after the turns under way. Ctrl-C again ends at once.\n"),
    );
    const bot = await startBot(config, { log, emit: (event) => logEvent(log, event) });
    context.stdout.write(`uwf listens on ${bot.url}\n`);
    if (!signal.aborted)
      await new Promise((stopped) => signal.addEventListener("abort", stopped, { once: true }));
    await bot.close();
    return exitCodes.done;
  },
});
