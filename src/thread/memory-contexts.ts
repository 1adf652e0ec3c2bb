import { memoryJournal } from "../agents/memory-journal.ts";
import { newThreadId } from "../base/ids.ts";
import { workflowNodes } from "../workflow/nodes.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { ContextFor } from "./create-workflow.ts";

/**
 * The contexts of a run that is kept nowhere: a thread of its own, and for each step a journal that lasts as long as the process.
 * `signal` ends the run: the role at work rejects with its reason.
 */
export const memoryContexts = (
  workflow: Workflow,
  { input, signal }: { input: string; signal: AbortSignal },
): ContextFor => {
  const thread = {
    threadId: newThreadId(),
    depth: 0,
    workflow: workflowNodes(workflow).workflow.hash,
    start: { input, source: null, parentThread: null },
    signal,
  };
  return async ({ role, task, steps }) => ({
    ...thread,
    steps,
    role: role.name,
    task,
    journal: memoryJournal(),
  });
};
