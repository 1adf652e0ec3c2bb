import { afterEach, describe, expect, it } from "vitest";
import { loadStoredWorkflow } from "../../../src/workflow/nodes.ts";
import { type DesignerRig, designerRig, errorsOf, messagesOf, stagesOf } from "../../rigs/designer.ts";
import { triageFile, triageStory, triageWords } from "../../rigs/designer-story.ts";

let rig: DesignerRig;
afterEach(() => rig.dispose());

describe("a conversation that makes a workflow", () => {
  it("loops twice, finds a gap, has an alternative chosen, fails its checks once and completes", async () => {
    rig = await designerRig(triageStory);
    const session = await rig.open();
    const heard = [];
    for (const words of triageWords) heard.push(await rig.say(session, words));

    expect(heard.map(stagesOf)).toEqual([
      [],
      ["negotiation"],
      [],
      ["gap_analysis", "alternative_generation"],
      ["workflow_generation", "debug", "workflow_generation", "debug", "completed"],
    ]);
    expect(heard.flatMap(errorsOf)).toEqual([]);
    for (const responses of heard)
      expect(responses.map(({ is_final }) => is_final)).toEqual([
        ...responses.slice(1).map(() => false),
        true,
      ]);
    expect(messagesOf(heard[0] ?? []).at(-1)).toMatchObject({
      message_type: "question",
      text: "What should it tell apart, and when?",
      questions: [
        { id: "kinds", category: "logic", is_required: true },
        { id: "start", is_required: false },
      ],
    });
    expect(messagesOf(heard[3] ?? []).at(-1)).toMatchObject({
      message_type: "options",
      alternatives: [{ id: "alt_1" }, { id: "alt_2" }],
    });
    const state = await rig.states.getState(session, rig.userId);
    expect(state).toMatchObject({ stage: "completed", gaps: [expect.stringContaining("gmail:send")] });
    const design = await rig.parts.workflows.load(state.workflow_id, rig.userId);
    expect(design).toMatchObject({ name: "triage", source: triageFile, dryRun: { ok: true } });
    const hash = await rig.store.workflowHash("triage");
    expect(hash).toBe(design?.node);
    expect(hash && (await loadStoredWorkflow(rig.store, hash))).toMatchObject({ name: "triage" });
  });
});
