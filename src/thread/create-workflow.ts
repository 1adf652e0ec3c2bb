import type { z } from "zod";
import type { AdapterBinding, ThreadContext } from "../agents/adapter.ts";
import { bugError } from "../base/errors.ts";
import { outputSchema } from "../workflow/schema.ts";
import type { Role, Workflow } from "../workflow/workflow.ts";
import { decide, type PastStep, type Resumption } from "./moderator.ts";

/** Where a run begins: anew with an input, or behind steps that were taken before. */
export type WorkflowStart = {
  /** What the work is about; the task of a role whose edge has no prompt. */
  input: string;
  /** What happened before: the run goes on after these. */
  steps?: readonly PastStep[];
  /** What a person did since the last of `steps`. */
  resumed?: Resumption | null;
  /** What began the work, for conditions: `label`, `review`, `checks` or a command's name. */
  trigger?: string;
  /** True when a person has approved what the last of `steps` answered. */
  approved?: boolean;
};

/** Makes the context of the step that is about to run; what it throws ends the run. */
export type ContextFor = (step: {
  role: Role;
  task: string;
  steps: readonly PastStep[];
}) => Promise<ThreadContext>;

/** How a run came to a stop: at `$END`, or because a person has to say how it goes on. */
export type WorkflowOutcome = { kind: "end" } | { kind: "suspend"; reason: string };

/** Runs a workflow from a start: yields each step's validated output, and returns how it came to a stop. */
export type WorkflowFn = (
  start: WorkflowStart,
  options: { contextFor: ContextFor },
) => AsyncGenerator<PastStep, WorkflowOutcome>;

/**
 * Moderator → agent → validate, again and again. Stores nothing: that is the caller's, between two steps. The run throws what
 * a role, or `contextFor`, throws.
 */
export const createWorkflow = (definition: Workflow, binding: AdapterBinding): WorkflowFn =>
  async function* run(start, { contextFor }) {
    const steps = [...(start.steps ?? [])];
    const schemas = new Map<string, z.ZodType<unknown>>();
    let resumed = start.resumed ?? null;
    let approved = start.approved ?? false;
    const { input, trigger = "" } = start;
    for (;;) {
      const decision = await decide(definition, { input, trigger, steps, resumed, approved });
      resumed = null;
      approved = false;
      if (decision.kind !== "run") return decision;
      const role = definition.roles[decision.role];
      if (role === undefined)
        throw bugError(`the moderator chose ${decision.role}, which is no role of ${definition.name}`);
      const context = await contextFor({ role, task: decision.task, steps });
      const adapter = binding.overrides?.[role.name] ?? binding.adapter;
      const schema = schemas.get(role.name) ?? outputSchema(role.schema);
      schemas.set(role.name, schema);
      const output = await adapter(role.systemPrompt, schema)(context);
      const step = { role: role.name, task: decision.task, output };
      steps.push(step);
      yield step;
    }
  };
