import type { Hash } from "../../base/ids.ts";
import type { History, Store } from "../../store/store.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { recordedDecision } from "./recorded-decision.ts";
import { decidedOf } from "./replay-decision.ts";

/** The role whose step is not finished, the one that is given this task, with the task; null when none is. */
export const openRole = async (
  store: Pick<Store, "turns">,
  { workflow, history }: { workflow: Workflow; history: History },
  { turns, completed }: { turns: Hash; completed: boolean },
): Promise<{ role: string; task: string } | null> => {
  const [first] = await store.turns(turns);
  const task = first?.kind === "message" ? first.text : "";
  const { decision } = await recordedDecision(
    workflow,
    decidedOf({ history, index: history.steps.length, completed }),
    (one) => one.kind === "run" && one.task === task,
    { role: "", task },
  );
  return decision.kind === "run" ? { role: decision.role, task } : null;
};
