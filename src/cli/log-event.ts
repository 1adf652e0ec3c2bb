import type { Log } from "../base/log.ts";
import type { ThreadEvent } from "../thread/events.ts";

/** What happens in threads, for a server's log: states, steps and results; each turn only for those who debug. */
export const logEvent = (log: Log, event: ThreadEvent): void => {
  const { thread } = event;
  switch (event.kind) {
    case "status": {
      const { status, reason } = event;
      log.info({ thread, status, ...(reason === null ? {} : { reason }) }, "thread is in another state");
      return;
    }
    case "step-started": {
      const { role, index, continued } = event;
      log.info({ thread, role, step: index + 1, continued }, "step begins");
      return;
    }
    case "step-finished": {
      const { role, index, hash, usage, ms } = event;
      log.info({ thread, role, step: index + 1, hash, usage, ms }, "step is done");
      return;
    }
    case "published": {
      const { branch, commit, url } = event.published;
      log.info({ thread, branch, commit, url }, "published");
      return;
    }
    case "model-waiting":
      log.info({ thread, role: event.role, reason: event.reason, ms: event.ms }, "waiting for the model");
      return;
    case "model-replied":
      log.debug(
        { thread, role: event.role, calls: event.calls.length, usage: event.usage, ms: event.ms },
        "reply",
      );
      return;
    case "tool-finished":
      log.debug({ thread, role: event.role, tool: event.name, ok: event.ok, ms: event.ms }, "tool");
      return;
    case "model-called": {
      const { role, model, result, ms } = event;
      if ("error" in result)
        log.warn({ thread, role, model: model.alias, error: result.error, ms }, "a model call failed");
      return;
    }
    case "model-text":
    case "tool-started":
    case "tool-output":
      return;
  }
};
