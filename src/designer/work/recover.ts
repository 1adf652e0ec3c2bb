import { stages, type WorkflowStage } from "../stages.ts";
import type { Work } from "./work.ts";

/** Goes back to where it failed. */
export const recover: Work = async function* (turn) {
  const failed = turn.state.conversations.findLast(({ metadata }) => metadata.failed_stage !== undefined);
  yield turn.move({ kind: "recovered", to: stageOf(failed?.metadata.failed_stage) });
  return "go-on";
};

const stageOf = (text: string | undefined): Exclude<WorkflowStage, "error"> => {
  const known = stages.find((stage) => stage === text);
  return known === undefined || known === "error" ? "clarification" : known;
};
