import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { redactor } from "../../../src/base/redact.ts";
import { redactedStore } from "../../../src/store/redacted-store.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";

const SECRET = "ghs_0123456789abcdef";
let temporary: TemporaryStore;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.dispose());

describe("a store that takes no secret", () => {
  it("keeps none of what somebody says in a conversation, or of a file that is made in it", async () => {
    const store = redactedStore(temporary.store, redactor([SECRET]));
    const [id, userId, workflowId] = [randomUUID(), randomUUID(), randomUUID()];
    await store.createSession({ id, userId, actionType: "create", sourceWorkflowId: null });

    await store.saveDesign({
      id: workflowId,
      userId,
      name: "a",
      source: `key: ${SECRET}`,
      dryRun: null,
      node: null,
    });
    await store.saveAgentState({
      ...{ sessionId: id, userId, stage: "clarification", workflowId, debugLoopCount: 0 },
      conversations: [{ role: "user", text: `Use ${SECRET}`, timestamp: 1, metadata: { note: SECRET } }],
      ...{ intentSummary: SECRET, gaps: [SECRET], alternatives: [] },
      ...{ clarificationContext: { collected_info: { key: SECRET } }, workflowContext: {} },
      ...{ createdAt: 1, updatedAt: 2 },
    });

    const kept = JSON.stringify([await store.agentState(id, userId), await store.design(workflowId, userId)]);
    expect(kept).not.toContain(SECRET);
    expect(kept).toContain("Use [redacted]");
    expect(await store.agentState(id, userId)).toMatchObject({ userId, workflowId, createdAt: 1 });
  });
});
