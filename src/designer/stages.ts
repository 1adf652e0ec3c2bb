/** Where a conversation stands. */
export const stages = [
  "clarification",
  "negotiation",
  "gap_analysis",
  "alternative_generation",
  "workflow_generation",
  "debug",
  "completed",
  "error",
] as const;
export type WorkflowStage = (typeof stages)[number];

/** How often what the checks find goes back to generation before the person is asked. */
export const MAX_DEBUG_LOOPS = 3;

export type StageEvent =
  /** What is wanted is not clear: the person is asked. */
  | { kind: "asked" }
  /** What is wanted was put before the person. */
  | { kind: "proposed" }
  /** The person agrees to it. */
  | { kind: "settled" }
  /** What it needs was compared with what is here. `choices`: there are ways to do it between which the person should choose. */
  | { kind: "analysed"; gaps: number; choices: boolean }
  /** Alternatives were put before the person. */
  | { kind: "offered" }
  | { kind: "chosen" }
  /** There is a workflow file. */
  | { kind: "written" }
  /** The file failed the checks. */
  | { kind: "faulty" }
  /** The person wants the work to go on where it stopped. */
  | { kind: "retried" }
  /** The file passed the checks. */
  | { kind: "passed" }
  /** Another workflow has the name. */
  | { kind: "taken" }
  /** A question of the person's was answered, and nothing else. */
  | { kind: "discussed" }
  /** The person wants something else than was settled. */
  | { kind: "revised" }
  | { kind: "failed" }
  /** `to`: the stage in which it failed. */
  | { kind: "recovered"; to: Exclude<WorkflowStage, "error"> };

type Standing = { stage: WorkflowStage; debug_loop_count: number };

/** The stage after an event, or null when the event cannot happen in the stage. */
export const nextStage = (state: Standing, event: StageEvent): WorkflowStage | null => {
  const { stage } = state;
  if (event.kind === "failed") return stage === "error" ? null : "error";
  if (event.kind === "recovered") return stage === "error" ? event.to : null;
  if (event.kind === "discussed") return canDiscuss(stage) ? stage : null;
  if (event.kind === "revised") return canRevise(stage) ? "negotiation" : null;
  switch (stage) {
    case "clarification":
      return fromClarification(event.kind);
    case "negotiation":
      return event.kind === "settled" ? "gap_analysis" : fromClarification(event.kind);
    case "gap_analysis":
      return fromAnalysis(event);
    case "alternative_generation":
      if (event.kind === "offered") return stage;
      return event.kind === "chosen" ? "workflow_generation" : null;
    case "workflow_generation":
      if (event.kind === "retried") return stage;
      return event.kind === "written" ? "debug" : null;
    case "debug":
      return fromDebug(state, event.kind);
    case "completed":
    case "error":
      return null;
  }
};

const fromClarification = (kind: StageEvent["kind"]): WorkflowStage | null => {
  if (kind === "asked") return "clarification";
  return kind === "proposed" || kind === "settled" ? "negotiation" : null;
};

const fromAnalysis = (event: StageEvent): WorkflowStage | null => {
  if (event.kind === "retried") return "gap_analysis";
  if (event.kind !== "analysed") return null;
  return event.gaps > 0 || event.choices ? "alternative_generation" : "workflow_generation";
};

const fromDebug = ({ debug_loop_count }: Standing, kind: StageEvent["kind"]): WorkflowStage | null => {
  switch (kind) {
    case "faulty":
      return debug_loop_count < MAX_DEBUG_LOOPS ? "workflow_generation" : "debug";
    case "retried":
      return "workflow_generation";
    case "passed":
      return "completed";
    case "taken":
      return "negotiation";
    default:
      return null;
  }
};

/** What is settled can be talked about again; before that, everything is about what is wanted. */
const canDiscuss = (stage: WorkflowStage): boolean => canRevise(stage);

const canRevise = (stage: WorkflowStage): boolean =>
  stage !== "clarification" && stage !== "negotiation" && stage !== "error";
