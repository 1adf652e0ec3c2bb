import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { soundState } from "../../../src/designer/sound-state.ts";
import type { FoundAgentState } from "../../../src/store/sessions.ts";

const found = (more: Partial<FoundAgentState> = {}): FoundAgentState => ({
  sessionId: randomUUID(),
  userId: randomUUID(),
  stage: "alternative_generation",
  conversations: [
    { role: "user", text: "Sort issues", timestamp: 1, metadata: {} },
    { role: "assistant", text: "How?", timestamp: 2, metadata: { message_type: "text" } },
  ],
  intentSummary: "Sort issues.",
  gaps: ["no mail"],
  alternatives: [
    { id: "a", title: "A", description: "d", approach: "p", trade_offs: [], complexity: "simple" },
  ],
  workflowId: null,
  debugLoopCount: 1,
  clarificationContext: {
    purpose: "gap_resolution",
    collected_info: { k: "v" },
    pending_questions: [],
    origin: "create",
  },
  workflowContext: { origin: "create", source_workflow_id: "", modification_intent: "" },
  createdAt: 1,
  updatedAt: 2,
  ...more,
});
const now = 50;

describe("soundState", () => {
  it("leaves a sound state as it is", () => {
    const state = soundState(found(), { now });

    expect(state).toMatchObject({ stage: "alternative_generation", gaps: ["no mail"], workflow_id: "" });
    expect(state.conversations).toHaveLength(2);
  });

  it.each([
    [{ alternatives: undefined }, "alternatives", "gap_analysis"],
    [{ gaps: "none" }, "gaps", "gap_analysis"],
    [{ stage: "dreaming" }, "stage", "clarification"],
    [{ clarificationContext: [] }, "clarification_context", "clarification"],
    [{ workflowContext: 7 }, "workflow_context", "alternative_generation"],
    [{ debugLoopCount: -3 }, "debug_loop_count", "alternative_generation"],
    [{ stage: "debug", workflowId: "no uuid" }, "workflow_id", "workflow_generation"],
  ])("goes on without %j", (damage, lost, stage) => {
    const state = soundState(found(damage), { now });

    expect(state.stage).toBe(stage);
    expect(state.conversations.slice(0, 2).map(({ text }) => text)).toEqual(["Sort issues", "How?"]);
    expect(state.conversations.at(-1)).toMatchObject({
      role: "system",
      timestamp: now,
      metadata: { event: "state_recovered", lost },
    });
  });

  it("keeps the entries of a conversation that can be read", () => {
    const conversations = [
      { role: "user", text: "First" },
      { role: "robot", text: 3 },
      null,
      { role: "user", text: "Last" },
    ];

    const state = soundState(found({ conversations }), { now });

    expect(state.conversations.map(({ text }) => text)).toEqual([
      "First",
      "Last",
      expect.stringContaining("conversations"),
    ]);
    expect(state.stage).toBe("alternative_generation");
  });

  it.each([undefined, "text", { a: 1 }])("refuses one whose conversation is %j", (conversations) => {
    expect(() => soundState(found({ conversations }), { now })).toThrow(
      expect.objectContaining({ code: "session-damaged", hint: expect.stringContaining("new session") }),
    );
  });
});
