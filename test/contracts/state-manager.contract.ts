import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptSessions } from "../../src/designer/sessions.ts";
import { type StateManager, stateManager } from "../../src/designer/state-manager.ts";
import type { Store } from "../../src/store/store.ts";
import { fixtureTime } from "../fixtures/nodes.ts";
import { type DesignerRig, designerRig } from "../rigs/designer.ts";
import { triageStory, triageWords } from "../rigs/designer-story.ts";
import type { ModelScript } from "../rigs/model-script.ts";

type StateStore = {
  store: Store;
  /** Writes into a column of a stored state what no program of ours would. */
  damage(sessionId: string, column: string, json: string): Promise<void>;
  dispose(): Promise<void>;
};

const user = randomUUID();
const DAY_MS = 24 * 60 * 60_000;

/** What the designer's state manager does over any store. */
export const stateManagerContract = (
  name: string,
  makeStore: (options: { now?: () => number }) => Promise<StateStore>,
): void => {
  describe(`the state manager over ${name}`, () => {
    let rig: StateStore;
    let states: StateManager;
    const clock = { now: fixtureTime };
    beforeEach(async () => {
      clock.now = fixtureTime;
      rig = await makeStore({ now: () => clock.now });
      states = stateManager(rig.store, { now: () => clock.now });
    });
    afterEach(() => rig.dispose());

    const begun = async () => {
      const { id } = await states.createSession({ userId: user, action: "create", workflowId: null });
      const state = await states.getState(id, user);
      return { id, state };
    };

    it("gives a new session the state to begin with", async () => {
      const { id, state } = await begun();

      expect(state).toMatchObject({
        session_id: id,
        user_id: user,
        stage: "clarification",
        conversations: [],
        clarification_context: { purpose: "initial_intent", origin: "create" },
        workflow_context: { origin: "create", source_workflow_id: "" },
        created_at: clock.now,
      });
    });

    it("gives back what was saved, and knows nothing for anybody else", async () => {
      const { id, state } = await begun();
      const saved = {
        ...state,
        stage: "negotiation" as const,
        gaps: ["没有邮件"],
        updated_at: clock.now + 5,
      };

      expect(await states.saveState(id, saved, user)).toBe(true);

      expect(await states.getState(id, user)).toEqual(saved);
      const stranger = randomUUID();
      for (const [session, who] of [
        [id, stranger],
        [randomUUID(), user],
        ["../etc", user],
        [id, "nobody"],
      ] as const) {
        await expect(states.getState(session, who)).rejects.toMatchObject({ code: "session-unknown" });
        expect(await states.saveState(session, state, who)).toBe(false);
        expect(await states.deleteState(session, who)).toBe(false);
      }
      expect(await states.getState(id, user)).toEqual(saved);
    });

    it("saves what a model has written, whatever is in its names and texts", async () => {
      const { id, state } = await begun();
      const { clarification_context: context } = state;
      const written = { ...context, collected_info: { "a\0b\ud800": "c\0d", trigger: "label" } };

      expect(await states.saveState(id, { ...state, clarification_context: written }, user)).toBe(true);

      const { collected_info: info } = (await states.getState(id, user)).clarification_context;
      expect(info.trigger).toBe("label");
      expect(Object.keys(info)).toHaveLength(2);
    });

    it("lists what is under way, and no more of what was deleted", async () => {
      const [first, second] = [await begun(), await begun()];
      clock.now += 1_000;
      await states.saveState(first.id, first.state, user);
      await states.saveState(second.id, { ...second.state, stage: "completed" }, user);

      expect((await states.getActiveSessions(user, 10)).map(({ id }) => id)).toEqual([first.id]);
      expect(await states.deleteState(first.id, user)).toBe(true);
      expect(await states.getActiveSessions(user, 10)).toEqual([]);
      await expect(states.getState(first.id, user)).rejects.toMatchObject({ code: "session-unknown" });
    });

    it("lets a session in which nothing is said for long be over", async () => {
      const { id, state } = await begun();
      clock.now += 29 * DAY_MS;
      await states.saveState(id, state, user);
      clock.now += 29 * DAY_MS;
      expect(await states.getState(id, user)).toMatchObject({ session_id: id });

      clock.now += 2 * DAY_MS;

      await expect(states.getState(id, user)).rejects.toMatchObject({ code: "session-unknown" });
      expect(await states.getActiveSessions(user, 10)).toEqual([]);
    });

    it("recovers what was said from a state that is damaged, or says that it cannot", async () => {
      const { id, state } = await begun();
      const said = { role: "user" as const, text: "Sort issues", timestamp: 1, metadata: {} };
      await states.saveState(id, { ...state, stage: "debug", conversations: [said] }, user);

      await rig.damage(id, "clarification_context", "[1, 2]");
      const recovered = await states.getState(id, user);
      expect(recovered).toMatchObject({ stage: "clarification" });
      expect(recovered.conversations).toEqual([
        said,
        expect.objectContaining({
          role: "system",
          metadata: { event: "state_recovered", lost: "clarification_context" },
        }),
      ]);

      await rig.damage(id, "conversations", '"gone"');
      await expect(states.getState(id, user)).rejects.toMatchObject({ code: "session-damaged" });
    });
  });

  describe(`conversations over ${name}`, () => {
    let rig: DesignerRig;
    let stored: StateStore;
    afterEach(async () => {
      await rig.dispose();
      await stored.dispose();
    });

    it("are all brought to their end, and not mixed, when ten at once are cut off again and again", async () => {
      stored = await makeStore({});
      rig = await designerRig(eachByName, { store: stored.store });
      const sessions = await Promise.all(Array.from({ length: 10 }, () => rig.open()));

      await Promise.all(sessions.map((session, n) => bringToEnd(rig, { session, n })));

      for (const [n, session] of sessions.entries()) {
        const state = await rig.states.getState(session, rig.userId);
        expect(state).toMatchObject({ stage: "completed" });
        const said = state.conversations.filter(({ role }) => role === "user").map(({ text }) => text);
        expect(said).toEqual(wordsOf(n));
        const design = await rig.parts.workflows.load(state.workflow_id, rig.userId);
        expect(design).toMatchObject({
          name: `triage-${n}`,
          source: expect.stringContaining(`name: triage-${n}\n`),
        });
        expect(await rig.store.workflowHash(`triage-${n}`)).toBe(design?.node);
      }
    }, 120_000);

    it("are worked on by one request at a time", async () => {
      stored = await makeStore({});
      const asked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      rig = await designerRig(
        async (request) => {
          asked.resolve();
          await release.promise;
          return triageStory(request);
        },
        { store: stored.store },
      );
      const session = await rig.open();
      const first = rig.say(session, triageWords[0]);
      await asked.promise;

      const { states, process, store, userId } = rig;
      const elsewhere = keptSessions({ states, process, leases: store, holder: "other@1" });
      const said = { sessionId: session, userId, text: "Hello?", signal: new AbortController().signal };
      await expect(Array.fromAsync(elsewhere.say(said))).rejects.toMatchObject({ code: "session-busy" });

      release.resolve();
      expect((await first).at(-1)).toMatchObject({ is_final: true, type: "message" });
      expect((await states.getState(session, userId)).conversations).toHaveLength(2);
    });
  });
};

/** Each conversation has a name of its own, which the model hears in what was said first. */
const eachByName: ModelScript = async (request) => {
  const n = /\(session (\d+)\)/.exec(JSON.stringify(request.messages))?.[1] ?? "?";
  const reply = await triageStory(request);
  return JSON.parse(JSON.stringify(reply).replaceAll(/\btriage\b/g, `triage-${n}`));
};

const wordsOf = (n: number): string[] =>
  triageWords.map((text, index) => (index === 0 ? `${text} (session ${n})` : text));

/** Says everything, and stops listening somewhere in between, more often than not. */
const bringToEnd = async (
  rig: DesignerRig,
  { session, n }: { session: string; n: number },
): Promise<void> => {
  const words = wordsOf(n);
  let dice = n + 1;
  const roll = (sides: number): number => {
    dice = (dice * 48_271) % 2_147_483_647;
    return dice % sides;
  };
  let isWhole = true;
  for (let tries = 0; tries < 200; tries++) {
    const state = await rig.states.getState(session, rig.userId);
    if (state.stage === "completed" && isWhole) return;
    const heard = state.conversations.filter(({ role }) => role === "user").length;
    const isUnheard = state.conversations.length === 0;
    const text = isWhole || isUnheard ? (words[heard] ?? "") : "";
    const before = heard;
    isWhole = await sayAndLeave(rig, { session, text, after: roll(9), within: roll(40) });
    const after = await rig.states.getState(session, rig.userId);
    const users = after.conversations.filter(({ role }) => role === "user").length;
    // It was cut off before it was heard: it has to be said again.
    if (!isWhole && text !== "" && users === before) isWhole = true;
  }
  throw new Error(`session ${n} never came to its end`);
};

type Leaving = { session: string; text: string; after: number; within: number };

/** True when the last response came before it left: after so many responses, or so many milliseconds. */
const sayAndLeave = async (rig: DesignerRig, { session, text, after, within }: Leaving): Promise<boolean> => {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new Error("left"));
  const said = { sessionId: session, userId: rig.userId, text, signal: leaving.signal };
  let count = 0;
  const timer = within < 10 ? setTimeout(leave, within * 3) : undefined;
  try {
    for await (const response of rig.sessions.say(said)) {
      if (response.is_final) return true;
      if (++count > after) leave();
    }
    return false;
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    return false;
  } finally {
    clearTimeout(timer);
  }
};
