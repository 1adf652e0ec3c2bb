import { describe, expect, it } from "vitest";
import {
  MAX_DEBUG_LOOPS,
  nextStage,
  type StageEvent,
  stages,
  type WorkflowStage,
} from "../../../src/designer/stages.ts";

const events: Readonly<Record<string, StageEvent>> = {
  asked: { kind: "asked" },
  proposed: { kind: "proposed" },
  settled: { kind: "settled" },
  "analysed: gaps": { kind: "analysed", gaps: 2, choices: false },
  "analysed: choices": { kind: "analysed", gaps: 0, choices: true },
  "analysed: nothing": { kind: "analysed", gaps: 0, choices: false },
  offered: { kind: "offered" },
  chosen: { kind: "chosen" },
  written: { kind: "written" },
  faulty: { kind: "faulty" },
  retried: { kind: "retried" },
  passed: { kind: "passed" },
  taken: { kind: "taken" },
  discussed: { kind: "discussed" },
  revised: { kind: "revised" },
  failed: { kind: "failed" },
  "recovered: negotiation": { kind: "recovered", to: "negotiation" },
  "recovered: debug": { kind: "recovered", to: "debug" },
};

/** Every event that may happen in a stage, and where it leads; all others may not. */
const table: Readonly<Record<WorkflowStage, Readonly<Record<string, WorkflowStage>>>> = {
  clarification: {
    asked: "clarification",
    proposed: "negotiation",
    settled: "negotiation",
    failed: "error",
  },
  negotiation: {
    asked: "clarification",
    proposed: "negotiation",
    settled: "gap_analysis",
    failed: "error",
  },
  gap_analysis: {
    "analysed: gaps": "alternative_generation",
    "analysed: choices": "alternative_generation",
    "analysed: nothing": "workflow_generation",
    retried: "gap_analysis",
    discussed: "gap_analysis",
    revised: "negotiation",
    failed: "error",
  },
  alternative_generation: {
    offered: "alternative_generation",
    chosen: "workflow_generation",
    discussed: "alternative_generation",
    revised: "negotiation",
    failed: "error",
  },
  workflow_generation: {
    written: "debug",
    retried: "workflow_generation",
    discussed: "workflow_generation",
    revised: "negotiation",
    failed: "error",
  },
  debug: {
    faulty: "workflow_generation",
    retried: "workflow_generation",
    passed: "completed",
    taken: "negotiation",
    discussed: "debug",
    revised: "negotiation",
    failed: "error",
  },
  completed: { discussed: "completed", revised: "negotiation", failed: "error" },
  error: { "recovered: negotiation": "negotiation", "recovered: debug": "debug" },
};

describe("nextStage", () => {
  const cases = stages.flatMap((stage) =>
    Object.entries(events).map(([name, event]) => ({ stage, name, event, to: table[stage][name] ?? null })),
  );

  it.each(cases)("$stage, $name: $to", ({ stage, event, to }) => {
    expect(nextStage({ stage, debug_loop_count: 0 }, event)).toBe(to);
  });

  it("asks the person once the file has failed as often as it may", () => {
    const stageAfter = (debug_loop_count: number) =>
      nextStage({ stage: "debug", debug_loop_count }, { kind: "faulty" });

    expect(stageAfter(MAX_DEBUG_LOOPS - 1)).toBe("workflow_generation");
    expect(stageAfter(MAX_DEBUG_LOOPS)).toBe("debug");
    expect(stageAfter(MAX_DEBUG_LOOPS + 1)).toBe("debug");
  });
});
