import { z } from "zod";
import type { AdapterBinding, AdapterFn, ThreadContext } from "../agents/adapter.ts";
import { messageOf } from "../base/errors.ts";
import type { Json, JsonSchema } from "../base/json.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { type ChildResult, roleOutput } from "./child-output.ts";
import { createWorkflow, type WorkflowOutcome } from "./create-workflow.ts";
import { memoryContexts } from "./memory-contexts.ts";
import type { PastStep } from "./moderator.ts";

/** Which workflows there are, and who plays their roles. */
export type WorkflowAgentOptions = {
  /** Finds a workflow by its name. */
  find(name: string): Promise<Workflow>;
  /** Who plays its roles. */
  binding: AdapterBinding;
  /** How deep workflows may lie in each other. Default: 3. */
  maxDepth?: number;
};

/**
 * Lets a workflow play a role in a program of one's own: it is given the task alone, and runs as a thread of its own that lasts as
 * long as the process. What its last role answers is the role's output. That it failed is an answer too, where the
 * role's schema has words for it (`status: "failed"`, `success: false`, `reason`, `summary`, `error`); else the role waits
 * for a person, as it does when the workflow does. Rejects with the signal's reason when the role is cancelled, and with what `find` throws.
 */
export const workflowAsAgent =
  (name: string, { find, binding, maxDepth = 3 }: WorkflowAgentOptions): AdapterFn =>
  (_prompt, schema) =>
  async (context) => {
    const { journal, task } = context;
    if (journal.turns.length === 0)
      await journal.append({ kind: "message", text: task.toWellFormed(), at: Date.now() });
    const wanted = {
      role: {
        name: context.role,
        schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema,
      },
      schema,
    };
    if (context.depth >= maxDepth)
      return roleOutput(failed(name, `workflows may lie ${maxDepth} deep in each other.`), wanted);
    const workflow = await find(name);
    try {
      return roleOutput(await run(workflow, { context, binding }), wanted);
    } catch (error) {
      context.signal.throwIfAborted();
      return roleOutput(failed(name, messageOf(error)), wanted);
    }
  };

const failed = (workflow: string, reason: string): ChildResult => ({
  workflow,
  status: "failed",
  reason,
  output: null,
});

const run = async (
  workflow: Workflow,
  { context, binding }: { context: ThreadContext; binding: AdapterBinding },
): Promise<ChildResult> => {
  const { task: input, signal, depth, threadId: parentThread } = context;
  const contexts = memoryContexts(workflow, { input, signal, depth: depth + 1, parentThread });
  const steps = createWorkflow(workflow, binding)({ input }, { contextFor: contexts });
  let last: PastStep | null = null;
  for (;;) {
    const next = await steps.next();
    if (next.done) return resultOf(workflow, { last, outcome: next.value });
    last = next.value;
  }
};

const resultOf = (
  { name }: Workflow,
  { last, outcome }: { last: PastStep | null; outcome: WorkflowOutcome },
): ChildResult => ({
  workflow: name,
  status: outcome.kind === "end" ? "completed" : "suspended",
  reason: outcome.kind === "end" ? null : outcome.reason,
  output: (last?.output ?? null) as Json,
});
