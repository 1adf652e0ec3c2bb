import { join } from "node:path";
import type { AdapterFn } from "../src/agents/adapter.ts";
import { silentLog } from "../src/base/log.ts";
import { processHolder } from "../src/base/process-holder.ts";
import { sqliteStore } from "../src/store/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import type { Engine } from "../src/thread/engine.ts";
import { runThread } from "../src/thread/run.ts";
import { startThread } from "../src/thread/start.ts";
import { publisher } from "../src/worker/publish.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import type { Workflow } from "../src/workflow/workflow.ts";
import { gitWorkspaces } from "../src/workspace/git-workspaces.ts";
import { noSandbox } from "../src/workspace/sandbox/no-sandbox.ts";
import { timed } from "./measurement.ts";
import { type StepRunner, type StepsOptions, stepText } from "./step-text.ts";

const yaml = `
version: 1
name: bench
description: One role, again and again.
roles:
  worker:
    description: Works.
    systemPrompt: You work.
    tools: []
    schema:
      type: object
      required: [status, text]
      properties: { status: { enum: [more, done] }, text: { type: string } }
moderator:
  - { from: $START, to: worker }
  - { from: worker, to: $END, when: 'output.status == "done"' }
  - { from: worker, to: worker }
`;

/** The real engine on the real store, which keeps every step's answer whatever is asked for; only the agent answers at once, without a model. */
export const uwfSteps = async (root: string): Promise<StepRunner & { store: Store }> => {
  const store = sqliteStore({ path: join(root, "uwf.db") });
  const workflow = await loadWorkflow(yaml, { file: "bench.yaml" });
  const engine = engineOn(store, root);
  return {
    store,
    run: (options) => timed(() => runThreadOf(options, { engine, workflow })),
    close: () => store.close(),
  };
};

const engineOn = (store: Store, root: string): Omit<Engine, "adapterOf"> => {
  const workspaces = gitWorkspaces({ root, store, sandbox: noSandbox(), log: silentLog, env: process.env });
  return {
    store,
    workspaces,
    publisher: publisher({ store, workspaces, forges: null, now: Date.now }),
    summarize: async () => "",
    emit: () => undefined,
    log: silentLog,
    now: Date.now,
    holder: processHolder(),
  };
};

const runThreadOf = async (
  { steps }: StepsOptions,
  { engine, workflow }: { engine: Omit<Engine, "adapterOf">; workflow: Workflow },
): Promise<void> => {
  const { store } = engine;
  const { id } = await startThread(store, {
    workflow,
    input: "Work.",
    title: "A thread of the bench",
    subject: null,
    source: null,
    base: null,
    limits: { pauseAfterRounds: steps + 1, budgetUsd: null, budgetTokens: null },
    agents: { worker: { adapter: "react", name: "builtin", model: "none", modelName: "none" } },
    now: Date.now(),
  });
  const adapterOf = () => answering(steps);
  const record = await runThread({ ...engine, adapterOf }, id, { signal: new AbortController().signal });
  if (record.status !== "completed") throw new Error(`the thread is ${record.status}: ${record.reason}`);
};

const answering =
  (steps: number): AdapterFn =>
  (_prompt, schema) =>
  async (context) => {
    const step = context.steps.length + 1;
    return schema.parse({ status: step < steps ? "more" : "done", text: stepText(step) });
  };
