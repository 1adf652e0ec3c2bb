import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import { MAX_DEBUG_LOOPS } from "../../../src/designer/stages.ts";
import { type DesignerRig, designerRig, errorsOf, messagesOf, stagesOf } from "../../rigs/designer.ts";
import {
  answers,
  type DesignerTask,
  faultyFile,
  lastSaidIn,
  taskIn,
  triageFile,
  triageStory,
  triageWords,
} from "../../rigs/designer-story.ts";
import type { ModelScript } from "../../rigs/model-script.ts";

let rig: DesignerRig;
afterEach(() => rig.dispose());

const settled = (name = "triage", more: object = {}): Json => ({
  next: "settled",
  intent_summary: "Sort issues.",
  workflow_name: name,
  ...more,
});
const proposed = (name: string): Json => ({ ...(settled(name) as object), next: "propose" });

/** What the model answers to each task, short of what a test asks for. */
const usual: Readonly<Record<DesignerTask, ModelScript>> = {
  listen: () => answers(settled(), "Good."),
  needs: () => answers({ needs: [] }),
  alternatives: triageStory,
  steer: () => answers({ decision: "question" }, "As I said."),
  write: () => answers({ yaml: triageFile, summary: "Sorts." }),
};
const model =
  (own: Partial<Record<DesignerTask, ModelScript>>): ModelScript =>
  (request) => {
    const task = taskIn(request);
    return (own[task] ?? usual[task])(request);
  };

const talk = async (words: readonly string[], session?: string) => {
  const id = session ?? (await rig.open());
  const heard = [];
  for (const text of words) heard.push(await rig.say(id, text));
  return { id, heard, state: await rig.states.getState(id, rig.userId) };
};

describe("somebody who", () => {
  it("says everything at once gets a workflow at once", async () => {
    rig = await designerRig(model({}));

    const { heard } = await talk(["Sort issues into bugs and questions; name it triage; go ahead."]);

    expect(heard.map(stagesOf)).toEqual([
      ["negotiation", "gap_analysis", "workflow_generation", "debug", "completed"],
    ]);
  });

  it("goes back is asked anew, and what was found for the old wish is gone", async () => {
    rig = await designerRig((request) => {
      if (taskIn(request) === "steer") return answers({ decision: "revise" }, "Then otherwise.");
      if (/instead/.test(lastSaidIn(request))) return answers(proposed("triage"), "Only labels, then?");
      return triageStory(request);
    });
    const { id } = await talk(triageWords.slice(0, 4));

    const { heard, state } = await talk(["No mail; do something else instead"], id);

    expect(heard.map(stagesOf)).toEqual([["negotiation"]]);
    expect(messagesOf(heard[0] ?? []).map(({ text }) => text)).toEqual(["Only labels, then?"]);
    expect(state).toMatchObject({ stage: "negotiation", gaps: [], alternatives: [] });
  });

  it("asks something while a choice is open is answered, and asked again", async () => {
    rig = await designerRig((request) =>
      taskIn(request) === "steer"
        ? answers({ decision: "question" }, "It costs nothing.")
        : triageStory(request),
    );
    const { id } = await talk(triageWords.slice(0, 4));

    const { heard, state } = await talk(["What does the first one cost?"], id);

    expect(messagesOf(heard[0] ?? [])).toEqual([
      expect.objectContaining({
        text: "It costs nothing.",
        message_type: "options",
        alternatives: [expect.objectContaining({ id: "alt_1" }), expect.objectContaining({ id: "alt_2" })],
      }),
    ]);
    expect(state.stage).toBe("alternative_generation");
  });

  it.each(["2", "alt_2", "Configure mail first"])("chooses by %j needs no model for that", async (words) => {
    rig = await designerRig(triageStory);
    const { id } = await talk(triageWords.slice(0, 4));

    const { state } = await talk([words], id);

    expect(state.clarification_context.collected_info.chosen_alternative).toMatch(/^Configure mail first/);
    expect(rig.server.requests.map(taskIn)).not.toContain("steer");
  });

  it("writes Chinese reads Chinese, also what the program says itself", async () => {
    rig = await designerRig(model({ listen: () => answers(settled(), "好的。") }));

    const { heard } = await talk(["把新的 issue 分类，直接做"]);

    const texts = messagesOf(heard[0] ?? []).map(({ text }) => text);
    expect(texts.at(-1)).toBe(
      "工作流 `triage`（1 个角色）已就绪。在 issue 中写 `/run triage`，或执行 `uwf thread start triage` 即可运行。",
    );
    expect(heard[0]?.find(({ type }) => type === "status")).toMatchObject({
      status: { stage_description: "了解您的需求" },
    });
  });

  it("asks for English gets it, whatever they write", async () => {
    rig = await designerRig(model({}));

    const responses = await rig.say(await rig.open(), "把新的 issue 分类", { config: { language: "en" } });

    expect(messagesOf(responses).at(-1)?.text).toMatch(/^The workflow `triage` \(1 role\) is ready/);
    expect(JSON.stringify(rig.server.requests[0]?.messages[0])).toContain("Write to the person in English");
  });

  it("says nothing is greeted, and later told again what was asked", async () => {
    rig = await designerRig(triageStory);

    const { id, heard } = await talk(["", triageWords[0], "  "]);

    expect(messagesOf(heard[0] ?? []).at(-1)?.text).toMatch(/^What should the workflow do\?/);
    expect(messagesOf(heard[2] ?? []).at(-1)).toMatchObject({
      text: "What should it tell apart, and when?",
      message_type: "question",
      questions: [{ id: "kinds" }, { id: "start" }],
      metadata: { repeated: "true" },
    });
    expect((await rig.states.getState(id, rig.userId)).conversations).toHaveLength(3);
  });
});

describe("a name that is taken", () => {
  it("is asked about, and replaced when the person says so", async () => {
    rig = await designerRig(
      model({
        listen: (request) =>
          /replace/i.test(lastSaidIn(request))
            ? answers(settled("develop", { replaces_existing: true }), "Replaced, then.")
            : answers(settled("develop"), "Good."),
        write: () =>
          answers({ yaml: triageFile.replace("name: triage", "name: develop"), summary: "Sorts." }),
      }),
    );

    const { id, heard } = await talk(["Make it, and call it develop"]);
    expect(messagesOf(heard[0] ?? []).at(-1)).toMatchObject({
      message_type: "question",
      text: "There is a workflow `develop` already. Should the new one replace it, or have another name?",
      questions: [{ id: "name", options: ["Replace develop", "Another name"] }],
    });
    expect(await rig.store.workflowHash("develop")).toBeUndefined();

    const { state } = await talk(["Replace develop"], id);
    expect(state.stage).toBe("completed");
    expect(await rig.store.workflowHash("develop")).toBeDefined();
  });

  it("is the designer's own goes back to the model, and nobody is asked about it", async () => {
    rig = await designerRig(
      model({
        listen: ({ messages }) =>
          messages.at(-1)?.content.includes("take another name") === true
            ? answers(settled(), "It is called triage: the other name is taken.")
            : answers(settled("design"), "Good."),
      }),
    );

    const { state } = await talk(["Make it, and call it design"]);

    expect(state.stage).toBe("completed");
    expect(await rig.store.workflowHash("design")).toBeUndefined();
    expect(await rig.store.workflowHash("triage")).toBeDefined();
  });

  it("is not replaced because a model claims that it may be", async () => {
    rig = await designerRig(
      model({ listen: () => answers(settled("develop", { replaces_existing: true }), "Replaced.") }),
    );

    const { state } = await talk(["Make it, and call it develop"]);

    expect(state.stage).toBe("negotiation");
    expect(await rig.store.workflowHash("develop")).toBeUndefined();
  });

  it("is asked about at the end, too, when it was taken meanwhile", async () => {
    rig = await designerRig(
      model({
        write: async () => {
          const other = await rig.parts.workflows.adopt("review-pr", rig.userId);
          const { loadWorkflow } = await import("../../../src/workflow/load.ts");
          const workflow = await loadWorkflow(other.source, { file: "x" });
          await rig.parts.workflows.register({ ...workflow, name: "triage" });
          return answers({ yaml: triageFile, summary: "Sorts." });
        },
      }),
    );

    const { heard, state } = await talk(["Go ahead"]);

    expect(stagesOf(heard[0] ?? []).slice(-2)).toEqual(["debug", "negotiation"]);
    expect(messagesOf(heard[0] ?? []).at(-1)?.metadata).toMatchObject({ name_taken: "triage" });
    expect(state.stage).toBe("negotiation");
  });
});

describe("a session that begins with a workflow", () => {
  const changed = triageFile.replace("[bug, question, unsure]", "[bug, question, chore, unsure]");

  /** Writes a new file where there is none, and the changed one where there is. */
  const changing: ModelScript = ({ messages }) =>
    answers({
      yaml: messages.at(-1)?.content.includes("<workflow>\n") ? changed : triageFile,
      summary: "Sorts.",
    });

  it("edits it, and replaces it on purpose", async () => {
    rig = await designerRig(model({ write: changing }));
    await talk(["Go ahead"]);
    const before = await rig.store.workflowHash("triage");
    const source = await rig.parts.workflows.adopt("triage", rig.userId);

    const session = await rig.open("edit", source.id);
    const { heard, state } = await talk(["", "Chores, too"], session);

    expect(messagesOf(heard[0] ?? []).at(-1)?.text).toBe(
      "I have `triage` before me. What should be different?",
    );
    expect(state).toMatchObject({
      stage: "completed",
      clarification_context: { purpose: "template_modification", origin: "edit" },
      workflow_context: { origin: "edit", source_workflow_id: source.id },
    });
    expect(await rig.store.workflowHash("triage")).not.toBe(before);
    const asked = rig.server.requests.filter((request) => taskIn(request) === "write").at(-1);
    expect(asked?.messages.at(-1)?.content).toContain("<workflow>\nversion: 1\nname: triage");
  });

  it("copies it under another name, and leaves it as it is", async () => {
    rig = await designerRig(
      model({
        listen: (request) =>
          answers(settled(/triage/.test(lastSaidIn(request)) ? "triage" : "review-pr"), "Good."),
      }),
    );
    const source = await rig.parts.workflows.adopt("review-pr", rig.userId);
    const session = await rig.open("copy", source.id);

    const first = await talk(["The same, but it sorts"], session);
    expect(messagesOf(first.heard[0] ?? []).at(-1)?.metadata.name_taken).toBe("review-pr");

    expect((await talk(["Call it triage"], session)).state.stage).toBe("completed");
    expect(await rig.store.workflowHash("review-pr")).toBeUndefined();
    expect(await rig.store.workflowHash("triage")).toBeDefined();
    expect(rig.server.requests[0]?.messages.at(-1)?.content).toContain(
      "<workflow>\nversion: 1\nname: review-pr",
    );
  });

  it("changes its own workflow once more after it was completed", async () => {
    rig = await designerRig(
      model({
        steer: () => answers({ decision: "revise" }, "Then so."),
        write: changing,
      }),
    );
    const { id } = await talk(["Go ahead"]);
    const before = await rig.store.workflowHash("triage");

    const { heard, state } = await talk(["Chores, too"], id);

    expect(stagesOf(heard[0] ?? [])).toEqual([
      "negotiation",
      "gap_analysis",
      "workflow_generation",
      "debug",
      "completed",
    ]);
    expect(state.clarification_context.purpose).toBe("template_modification");
    expect(await rig.store.workflowHash("triage")).not.toBe(before);
  });

  it("is not made of somebody else's design, or of one that there is not", async () => {
    rig = await designerRig(model({}));
    const foreign = await rig.parts.workflows.adopt("develop", "123e4567-e89b-42d3-a456-426614174000");

    await expect(rig.open("edit", foreign.id)).rejects.toMatchObject({ code: "workflow-unknown" });
    await expect(rig.open("copy")).rejects.toMatchObject({ code: "workflow-unknown" });
    await expect(rig.parts.workflows.adopt("no-such-one", rig.userId)).rejects.toMatchObject({
      code: "workflow-unknown",
    });
  });
});

describe("a model that", () => {
  it.each([
    ["listen", ["Sort issues"], "clarification"],
    ["needs", ["Go ahead"], "gap_analysis"],
    ["alternatives", triageWords.slice(0, 4), "alternative_generation"],
    ["steer", [...triageWords.slice(0, 4), "Hm, what now?"], "alternative_generation"],
    ["write", ["Go ahead"], "workflow_generation"],
  ] as const)(
    "answers nonsense to %s is corrected twice, and then it can be tried again",
    async (task, words, stage) => {
      const nonsense: Json[] = [{ next: 7 }, { yaml: "", needs: "all", alternatives: [], decision: "fly" }];
      let asked = 0;
      const isStory = words.length > 1;
      rig = await designerRig((request) => {
        if (taskIn(request) !== task) return isStory ? triageStory(request) : model({})(request);
        asked++;
        if (asked > 3) return isStory ? triageStory(request) : model({})(request);
        return asked === 1 ? { content: "Well, well." } : answers(nonsense[asked - 2] ?? null, "So.");
      });

      const { id, heard, state } = await talk(words);

      expect(asked).toBe(3);
      expect(errorsOf(heard.at(-1) ?? [])).toEqual([
        expect.objectContaining({ error_code: "answer-invalid", is_recoverable: true }),
      ]);
      expect(heard.at(-1)?.at(-1)).toMatchObject({
        type: "error",
        is_final: true,
        updated_state: { stage: "error" },
      });
      expect(state.conversations.at(-1)?.metadata).toMatchObject({
        failed_stage: stage,
        input_tokens: expect.any(String),
      });

      const again = await talk([""], id);
      expect(errorsOf(again.heard[0] ?? [])).toEqual([]);
      expect(stagesOf(again.heard[0] ?? [])[0]).toBe(stage);
      expect(again.state.stage).not.toBe("error");
    },
  );

  it("never writes a file that passes is stopped, and the person asked; a hint lets it try again", async () => {
    rig = await designerRig(
      model({
        steer: () => answers({ decision: "go_on" }, "I try again."),
        write: (request) =>
          answers({
            yaml: /only two/.test(lastSaidIn(request)) ? triageFile : faultyFile,
            summary: "Sorts.",
          }),
      }),
    );

    const { id, heard, state } = await talk(["Go ahead"]);
    expect(rig.server.requests.filter((request) => taskIn(request) === "write")).toHaveLength(
      MAX_DEBUG_LOOPS,
    );
    expect(state).toMatchObject({ stage: "debug", debug_loop_count: MAX_DEBUG_LOOPS });
    expect(messagesOf(heard[0] ?? []).at(-1)).toMatchObject({
      message_type: "question",
      text: expect.stringMatching(/triage\.yaml:\d+:\d+: unknown role "nobody"/),
    });

    const after = await talk(["There are only two roles"], id);
    expect(after.state).toMatchObject({ stage: "completed", debug_loop_count: 0 });
  });

  it("is gone stops the conversation where it is, to go on from there", async () => {
    let isThere = false;
    rig = await designerRig((request) =>
      isThere ? model({})(request) : { fault: "status", status: 401, body: { error: { message: "no" } } },
    );

    const { id, heard } = await talk(["Go ahead"]);
    expect(errorsOf(heard[0] ?? [])).toEqual([
      expect.objectContaining({ error_code: "model-refused", is_recoverable: false }),
    ]);

    isThere = true;
    expect((await talk([""], id)).state.stage).toBe("completed");
  });

  it("says the text before its call is heard in pieces, and once", async () => {
    rig = await designerRig(triageStory);

    const responses = await rig.say(await rig.open(), triageWords[0], { config: { enable_streaming: true } });

    const [pieces, whole] = [true, false].map((isPiece) =>
      messagesOf(responses).filter(({ metadata }) => (metadata.delta === "true") === isPiece),
    );
    expect(pieces?.map(({ text }) => text).join("")).toBe("What should it tell apart, and when?");
    expect(whole).toHaveLength(1);
  });
});

describe("a request", () => {
  it("takes no longer than it may", async () => {
    rig = await designerRig(() => ({ fault: "hang" }));

    const responses = await rig.say(await rig.open(), "Sort issues", { config: { timeout_seconds: 1 } });

    expect(errorsOf(responses)).toEqual([
      expect.objectContaining({ error_code: "timeout", is_recoverable: true }),
    ]);
  });

  it.each([
    ["late", "timeout"],
    ["left", "left"],
  ] as const)("that is %s counts what its cut-off call has used", async (how, why) => {
    let asked = 0;
    rig = await designerRig((request) =>
      ++asked === 1 ? { fault: "hang", after: 3 } : usual[taskIn(request)](request),
    );
    const sessionId = await rig.open();
    const leaving = new AbortController();
    const config = { enable_streaming: true, timeout_seconds: how === "late" ? 5 : 0 };
    const said = { sessionId, userId: rig.userId, text: "Sort issues", signal: leaving.signal, config };
    const ended: string[] = [];
    try {
      for await (const response of rig.sessions.say(said)) {
        if (response.type === "error") ended.push(response.error.error_code);
        // The model is in the middle of its first words.
        if (response.updated_state === null && how === "left") leaving.abort(new Error("left"));
      }
    } catch (error) {
      ended.push((error as Error).message);
    }

    const { conversations } = await rig.states.getState(sessionId, rig.userId);
    expect(ended).toEqual([why]);
    expect(conversations.map(({ role }) => role)).toEqual(["user", "system"]);
    expect(Number(conversations.at(-1)?.metadata.input_tokens)).toBeGreaterThan(100);
    expect((await talk([""], sessionId)).state.stage).toBe("completed");
  });

  it("takes no more turns and no more money than it may", async () => {
    rig = await designerRig(triageStory, { limits: { tokens: 4_000, usd: null, timeoutSeconds: 60 } });
    const session = await rig.open();
    await rig.say(session, triageWords[0]);

    const turns = await rig.say(session, triageWords[1], { config: { max_turns: 1 } });
    expect(errorsOf(turns)).toEqual([
      expect.objectContaining({ error_code: "max-turns", is_recoverable: false }),
    ]);

    for (const text of triageWords.slice(1, 3)) await rig.say(session, text);
    const { heard, state } = await talk([triageWords[3]], session);
    expect(errorsOf(heard[0] ?? [])).toEqual([
      expect.objectContaining({
        error_code: "budget-reached",
        is_recoverable: false,
        message: expect.stringMatching(/tokens are used/),
      }),
    ]);
    expect(state.stage).not.toBe("error");
  });

  it("tells the model what the person likes, and what is written down here where that is wanted", async () => {
    rig = await designerRig(triageStory);
    const asked = () => JSON.stringify(rig.server.requests.at(-1)?.messages);

    await rig.say(await rig.open(), "I want to sort new issues with MCP servers", {
      config: { enable_rag: true, preferences: { style: "few roles" } },
    });
    expect(asked()).toContain("style: few roles");
    expect(asked()).toMatch(/<passage>\\ndocs\/[a-z-]+\.md/);

    await rig.say(await rig.open(), "I want to sort new issues with MCP servers");
    expect(asked()).not.toMatch(/<passage>\\ndocs/);
  });
});
