import { expect, it } from "vitest";
import { isUnanswered, userTexts } from "../../../src/designer/conversation.ts";
import { type DesignerRig, designerRig } from "../../rigs/designer.ts";
import { answers, lastSaidIn, taskIn, triageFile } from "../../rigs/designer-story.ts";
import type { ModelScript } from "../../rigs/model-script.ts";

const SESSIONS = 10;
/** Of each request of a person, so often at most. */
const CUTS = 4;

const wordsFor = (name: string) => [`Make ${name} for me`, `Yes, make ${name}`] as const;
const fileOf = (name: string) => triageFile.replace("name: triage", `name: ${name}`);

/** Each person wants a workflow of another name, and says it every time. */
const script: ModelScript = (request) => {
  const named = /flow-\d+/.exec(lastSaidIn(request))?.[0] ?? "none";
  switch (taskIn(request)) {
    case "listen": {
      const next = lastSaidIn(request).startsWith("Yes") ? "settled" : "propose";
      const value = { next, intent_summary: `Make ${named}.`, workflow_name: named, collected_info: {} };
      return answers(value, `${named}, then?`);
    }
    case "needs":
      return answers({ needs: [{ kind: "tool", name: "read_file", why: "reads" }] });
    case "write":
      return answers({ yaml: fileOf(named), summary: `It is ${named}.` });
    default:
      throw new Error(`nobody asked for ${taskIn(request)}`);
  }
};

/** Says it, is cut off at some point, and goes on, until it is answered. */
const sayInPieces = async (rig: DesignerRig, session: string, text: string): Promise<number> => {
  for (let cuts = 0; ; cuts++) {
    const state = await rig.states.getState(session, rig.userId);
    const isHeard = userTexts(state).includes(text);
    if (isHeard && !isUnanswered(state) && cuts > CUTS) return cuts;
    const signal = new AbortController();
    const said = { sessionId: session, userId: rig.userId, text: isHeard ? "" : text, signal: signal.signal };
    const [after, inTheModel] = [Math.floor(Math.random() * 6), Math.random() < 0.5];
    let [given, isFinal] = [0, false];
    const timer =
      inTheModel && cuts < CUTS
        ? setTimeout(() => signal.abort(new Error("cut off")), Math.random() * 60)
        : undefined;
    try {
      for await (const { is_final, type, ...rest } of rig.sessions.say(said)) {
        isFinal = is_final;
        if (type === "error") throw new Error(JSON.stringify(rest));
        if (!inTheModel && cuts < CUTS && ++given > after) break;
      }
    } catch (error) {
      if (!signal.signal.aborted) throw error;
    }
    clearTimeout(timer);
    if (isFinal) return cuts;
  }
};

it("of ten at once, each cut off again and again at any point, loses and mixes none", async () => {
  const rig = await designerRig(script);
  try {
    const names = Array.from({ length: SESSIONS }, (_, n) => `flow-${n}`);
    const told = await Promise.all(
      names.map(async (name) => {
        const session = await rig.open();
        let cuts = 0;
        for (const text of wordsFor(name)) cuts += await sayInPieces(rig, session, text);
        return { name, session, cuts };
      }),
    );

    expect(told.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThan(SESSIONS);
    for (const { name, session } of told) {
      const state = await rig.states.getState(session, rig.userId);
      expect(state).toMatchObject({ stage: "completed", session_id: session });
      expect(userTexts(state)).toEqual(wordsFor(name));
      expect(await rig.parts.workflows.load(state.workflow_id, rig.userId)).toMatchObject({
        ...{ name, source: fileOf(name), dryRun: { ok: true } },
        node: await rig.store.workflowHash(name),
      });
      const said = state.conversations.flatMap(({ role, text }) => (role === "assistant" ? [text] : []));
      expect(
        said
          .join(" ")
          .match(/flow-\d+/g)
          ?.every((other) => other === name),
      ).toBe(true);
    }
  } finally {
    await rig.dispose();
  }
}, 120_000);
