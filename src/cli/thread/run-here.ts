import type { ThreadId } from "../../base/ids.ts";
import type { Config } from "../../config/config.ts";
import { isRunnable } from "../../thread/state.ts";
import type { Context } from "../context.ts";
import type { EngineSession } from "../engine-session.ts";
import { withEngine } from "../engine-session.ts";
import { type ExitCode, exitCodeOfThread, exitCodes } from "../exit-code.ts";
import { lineLog } from "../log.ts";
import { printJson } from "../print.ts";
import { progressView } from "../progress/progress-view.ts";
import { styleFor } from "../style.ts";
import { plainLine } from "../terminal-text.ts";
import { findThread } from "./find-thread.ts";
import { keepLeft } from "./keep-left.ts";
import { renderSituation } from "./render-situation.ts";
import { readSituation, type Situation, situationJson, situationUsage } from "./situation.ts";
import { shortId } from "./thread-text.ts";

export type RunHere = {
  config: Config;
  json: boolean;
  /** Finds the thread, or makes it. */
  thread(session: EngineSession, signal: AbortSignal): Promise<ThreadId>;
  maxSteps?: number;
};

/**
 * Runs one thread in this process, shows how it goes and how it stands at the end. One that waits for a person, or has
 * ended, is only shown.
 */
export const runHere = async (context: Context, options: RunHere): Promise<ExitCode> => {
  const { config, json, maxSteps } = options;
  const { openSandbox } = await import("../../app.ts");
  await (await openSandbox(config)).check();
  const [{ runThread }, { requireOwn }] = await Promise.all([
    import("../../thread/run.ts"),
    import("../../thread/commands.ts"),
  ]);
  // Programs read standard output; the record of the run is for people.
  const output = json ? context.stderr : context.stdout;
  const style = await styleFor(output, context);
  const view = progressView(output, { style, now: context.now });
  const tell = (line: string) => view.beside(() => context.stderr.write(line));
  const log = lineLog(tell, context);
  const situation = await withEngine(context, { config, emit: view.emit, log }, async (session) => {
    const { engine, store } = session;
    let hint = "";
    const signal = context.interruption(() => tell(`Stopping.${hint} Ctrl-C again ends at once.\n`));
    try {
      const id = await options.thread(session, signal);
      hint = ` \`uwf thread run ${shortId(id)}\` goes on.`;
      const before = await findThread(store, id);
      await requireOwn(store, before);
      if (isRunnable(before.status)) {
        output.write(`${style.bold(plainLine(before.title))} ${style.dim(id)}\n`);
        view.begin(situationUsage(await readSituation(store, before)).usage);
        await runThread(engine, id, { signal, ...(maxSteps === undefined ? {} : { maxSteps }) });
        await keepLeft(session, { id, signal, tell });
      }
      return await readSituation(store, await findThread(store, id));
    } finally {
      view.close();
    }
  });
  if (json) printJson(context, situationJson(situation));
  else context.stdout.write(`\n${renderSituation(situation, { style, now: context.now() })}`);
  return exitCodeOf(situation, maxSteps);
};

/** A thread that has taken the steps asked for waits for the next ones: that is what was wanted. */
const exitCodeOf = ({ record }: Situation, maxSteps: number | undefined): ExitCode =>
  maxSteps !== undefined && record.status === "queued" ? exitCodes.done : exitCodeOfThread(record.status);
