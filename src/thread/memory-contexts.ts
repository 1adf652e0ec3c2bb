import { memoryJournal } from "../agents/memory-journal.ts";
import { newThreadId, type ThreadId } from "../base/ids.ts";
import { workflowNodes } from "../workflow/nodes.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { ContextFor } from "./create-workflow.ts";

/**
 * The contexts of a run that is kept nowhere: a thread of its own, and for each step a journal that lasts as long as the process.
 * `signal` ends the run: the role at work rejects with its reason. `depth` and `parentThread`: of a run that plays a role in another one.
 */
export const memoryContexts = (
  workflow: Workflow,
  {
    input,
    signal,
    depth = 0,
    parentThread = null,
  }: { input: string; signal: AbortSignal; depth?: number; parentThread?: ThreadId | null },
): ContextFor => {
  const thread = {
    threadId: newThreadId(),
    depth,
    workflow: workflowNodes(workflow).workflow.hash,
    start: { input, source: null, parentThread },
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
