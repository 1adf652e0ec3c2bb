import type { AdapterFn } from "../src/agents/adapter.ts";
import { type Log, silentLog } from "../src/base/log.ts";
import { processHolder } from "../src/base/process-holder.ts";
import type { Store } from "../src/store/store.ts";
import type { Engine } from "../src/thread/engine.ts";
import type { EmitEvent } from "../src/thread/events.ts";
import { publisher } from "../src/worker/publish.ts";
import { gitWorkspaces } from "../src/workspace/git-workspaces.ts";
import { noSandbox } from "../src/workspace/sandbox/no-sandbox.ts";
import { stepText } from "./step-text.ts";

/** The real engine on a real store, without agents: threads of the bench have no files, no model and no publishing role. */
export const stubEngine = ({
  store,
  root,
  emit = () => undefined,
  log = silentLog,
}: {
  store: Store;
  root: string;
  emit?: EmitEvent;
  log?: Log;
}): Omit<Engine, "adapterOf"> => {
  const workspaces = gitWorkspaces({ root, store, sandbox: noSandbox(), log, env: process.env });
  return {
    store,
    workspaces,
    publisher: publisher({ store, workspaces, forges: null, now: Date.now }),
    captures: "each-step",
    summarize: async () => "",
    emit,
    log,
    now: Date.now,
    holder: processHolder(),
    maxDepth: 3,
  };
};

/** An agent that answers at once, 2 kB, and is done after so many steps. `asked` is told of each answer before it is given. */
export const answering =
  (
    steps: number,
    asked: (thread: string, step: number) => Promise<void> | void = () => undefined,
  ): AdapterFn =>
  (_prompt, schema) =>
  async (context) => {
    const step = context.steps.length + 1;
    await asked(context.threadId, step);
    return schema.parse({ status: step < steps ? "more" : "done", text: stepText(step) });
  };
