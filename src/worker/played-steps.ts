import type { Payload } from "../store/payload.ts";
import type { StepRecord, Store } from "../store/store.ts";

/** A step, and the workflow whose role it played. */
export type PlayedStep = Pick<Payload<"step">, "role" | "agent" | "turns"> & {
  workflow: Payload<"workflow">;
};

type Played = Pick<StepRecord["step"], "role" | "agent" | "turns" | "childThreadId" | "childHash">;

/** The steps, and before each that a workflow played, those of its thread; oldest first. */
export const playedSteps = async (
  store: Pick<Store, "load" | "history">,
  { workflow, steps }: { workflow: Payload<"workflow">; steps: readonly Played[] },
): Promise<PlayedStep[]> => {
  const played: PlayedStep[] = [];
  // A thread that has waited for a person plays in several steps: the last has all that it did.
  const last = new Map(steps.map((step) => [step.childThreadId, step]));
  for (const step of steps) {
    if (step.childHash !== undefined && last.get(step.childThreadId) === step)
      played.push(...(await below(store, step.childHash)));
    played.push({ role: step.role, agent: step.agent, turns: step.turns, workflow });
  }
  return played;
};

const below = async (
  store: Pick<Store, "load" | "history">,
  head: NonNullable<Played["childHash"]>,
): Promise<PlayedStep[]> => {
  const { start, steps } = await store.history(head);
  return playedSteps(store, {
    workflow: await store.load("workflow", start.workflow),
    steps: steps.map(({ step }) => step),
  });
};
