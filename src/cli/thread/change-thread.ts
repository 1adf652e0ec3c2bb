import type { ThreadId } from "../../base/ids.ts";
import type { Config } from "../../config/config.ts";
import type { ThreadRecord } from "../../store/store.ts";
import type { Engine } from "../../thread/engine.ts";
import type { Context } from "../context.ts";
import { configHere, withEngine } from "../engine-session.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../style.ts";
import { plainLine } from "../terminal-text.ts";
import { findThread } from "./find-thread.ts";
import { nextCommands, paintStatus, shortId, threadJson } from "./thread-text.ts";

/** Does something to one thread, and says in which state it is then. */
export const changeThread = async (
  context: Context,
  { thread, json }: { thread: string; json: boolean },
  change: (engine: Engine, id: ThreadId, config: Config) => Promise<ThreadRecord>,
): Promise<ExitCode> => {
  const config = await configHere(context, { sandbox: "unneeded" });
  const record = await withEngine(context, { config }, async ({ engine, store }) =>
    change(engine, (await findThread(store, thread)).id, config),
  );
  if (json) {
    printJson(context, threadJson(record));
    return exitCodes.done;
  }
  const style = await styleFor(context.stdout, context);
  const status = paintStatus(record.status, record.status, style);
  context.stdout.write(`${style.cyan(shortId(record.id))} ${plainLine(record.title)}: ${status}\n`);
  const [next] = nextCommands(record);
  if (next !== undefined) context.stdout.write(style.dim(`${next[0]}  ${next[1]}\n`));
  return exitCodes.done;
};
