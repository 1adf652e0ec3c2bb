import type { Store } from "../src/store/store.ts";
import type { Engine } from "../src/thread/engine.ts";
import { runThread } from "../src/thread/run.ts";
import { startThread } from "../src/thread/start.ts";
import type { Workflow } from "../src/workflow/workflow.ts";
import { timed } from "./measurement.ts";
import type { StepRunner, StepsOptions } from "./step-text.ts";
import { answering, stubEngine } from "./stub-engine.ts";
import { stubThread, stubWorkflow } from "./stub-workflow.ts";

/** The real engine on a real store, which keeps every step's answer whatever is asked for; only the agent is a stub. */
export const uwfSteps = async ({ store, root }: { store: Store; root: string }): Promise<StepRunner> => {
  const workflow = await stubWorkflow();
  const engine = stubEngine({ store, root });
  return {
    run: (options) => timed(() => runThreadOf(options, { engine, workflow })),
    close: () => store.close(),
  };
};

const runThreadOf = async (
  { steps }: StepsOptions,
  { engine, workflow }: { engine: Omit<Engine, "adapterOf">; workflow: Workflow },
): Promise<void> => {
  const { id } = await startThread(engine.store, stubThread(workflow, { steps, source: null }));
  const adapterOf = () => answering(steps);
  const record = await runThread({ ...engine, adapterOf }, id, { signal: new AbortController().signal });
  if (record.status !== "completed") throw new Error(`the thread is ${record.status}: ${record.reason}`);
};
