import type { Config } from "../../config/config.ts";
import type { Store, ThreadRecord } from "../../store/store.ts";
import type { Replay, ReplayedStep } from "../../thread/replay/drift.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { defineCommand, jsonOption } from "../command.ts";
import type { Context } from "../context.ts";
import { configHere, unsafeOption } from "../engine-session.ts";
import { exitCodes } from "../exit-code.ts";
import { lineLog } from "../log.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../style.ts";
import { plainLine } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { renderReplayedStep, renderVerdict } from "./render-replay.ts";

export const command = defineCommand({
  description:
    "Plays a thread again from its record, without asking a model: its tools run again, in the same order, in a workspace of their own that begins with the same commit, and what differs from the record is shown: which call, what was different. Nothing is published or stored. With --workflow another workflow decides, to see which step would go elsewhere and which output would not be valid any more. Ends with 1 when something differs.",
  arguments: { thread: threadArgument },
  options: {
    workflow: {
      type: "string",
      value: "name|hash|file",
      summary: "Decides instead of the workflow that the thread has.",
    },
    "unsafe-no-sandbox": unsafeOption,
    json: jsonOption,
  },
  examples: ["uwf thread replay 01JD3Q8M5T", "uwf thread replay 01JD3Q8M5T --workflow solve-issue.yaml"],
  run: async ({ arguments: { thread }, options }, context) => {
    const sandbox = options["unsafe-no-sandbox"] ? "none" : "configured";
    const config = await configHere(context, { sandbox });
    const { openReplay, openStore } = await import("../../app.ts");
    const log = lineLog((line) => context.stderr.write(line), context);
    const store = await openStore(config, { log });
    const signal = context.interruption(() => context.stderr.write("Stopping. Ctrl-C again ends at once.\n"));
    try {
      const record = await findThread(store, thread);
      const forges = await forgesFor(config);
      const parts = await openReplay(config, { store, log, forges });
      const workflow = await workflowNamed(options.workflow, { store, context });
      const { replayThread } = await import("../../thread/replay/replay-thread.ts");
      const shown = options.json ? null : await progress(context, record);
      const replay = await replayThread(parts, record, { signal, workflow, onStep: shown?.step });
      if (shown === null) printJson(context, replay);
      else shown.end(replay);
      return replay.drift.length > 0 ? exitCodes.failed : exitCodes.done;
    } finally {
      await store.close();
    }
  },
});

/** A repository that is on a forge is fetched with the bot's access; others need none. */
const forgesFor = async (config: Config) => {
  if (config.github === null && config.forgejo === null) return null;
  const [{ openForges }, { serverLog }] = await Promise.all([
    import("../../app/forges.ts"),
    import("../server-log.ts"),
  ]);
  return (await openForges(config, serverLog({ level: "warn", secrets: config.secrets }))).forges;
};

const workflowNamed = async (
  name: string | undefined,
  { store, context }: { store: Store; context: Context },
): Promise<Workflow | undefined> => {
  if (name === undefined) return undefined;
  const { findWorkflowHere } = await import("../workflow/find-here.ts");
  return (await findWorkflowHere(name, { store, cwd: context.cwd })).workflow;
};

const progress = async (context: Context, record: ThreadRecord) => {
  const style = await styleFor(context.stdout, context);
  context.stdout.write(`${style.bold(plainLine(record.title))} ${style.dim(record.id)}\n`);
  return {
    step: (step: ReplayedStep) => void context.stdout.write(renderReplayedStep(step, style)),
    end: (replay: Replay) => void context.stdout.write(renderVerdict(replay, style)),
  };
};
