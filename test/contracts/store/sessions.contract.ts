import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { AgentStateRecord, DesignRecord } from "../../../src/store/sessions.ts";
import { all, type Rig } from "./rig.ts";

const user = randomUUID();

const session = (more: Partial<{ id: string; userId: string; sourceWorkflowId: string | null }> = {}) => ({
  id: randomUUID(),
  userId: user,
  actionType: "create" as const,
  sourceWorkflowId: null,
  ...more,
});

const design = (more: Partial<DesignRecord> = {}): Omit<DesignRecord, "createdAt" | "updatedAt"> => ({
  id: randomUUID(),
  userId: user,
  name: "triage",
  source: "name: triage\n",
  dryRun: null,
  node: null,
  ...more,
});

const state = (sessionId: string, more: Partial<AgentStateRecord> = {}): AgentStateRecord => ({
  sessionId,
  userId: user,
  stage: "negotiation",
  conversations: [{ role: "user", text: "按标签分派 \u{1F600} it's", timestamp: 1, metadata: { a: "b" } }],
  intentSummary: "sorts issues",
  gaps: ["no mail"],
  alternatives: [{ id: "alt_1" }],
  workflowId: null,
  debugLoopCount: 2,
  clarificationContext: { purpose: "initial_intent", collected_info: {} },
  workflowContext: { origin: "create" },
  createdAt: 1_700_000_000_123,
  updatedAt: 1_700_000_000_456,
  ...more,
});

export const sessionsContract = (rig: () => Rig): void => {
  it("keeps a session, and shows it to nobody but whose it is", async () => {
    const { store, clock } = rig();
    const made = session();

    await store.createSession(made);

    const times = { createdAt: clock.now, updatedAt: clock.now };
    expect(await store.session(made.id, user)).toEqual({ ...made, agentStage: null, ...times });
    expect(await store.session(made.id, randomUUID())).toBeUndefined();
    expect(await store.session(randomUUID(), user)).toBeUndefined();
  });

  it("leaves a session as it is that is made twice", async () => {
    const { store } = rig();
    const made = session();
    await store.createSession(made);

    await store.createSession({ ...made, userId: randomUUID() });

    expect(await store.session(made.id, user)).toMatchObject(made);
  });

  it("reads a state as it was saved, and the session's stage and time with it", async () => {
    const { store, clock } = rig();
    const made = session();
    const file = design();
    await store.createSession(made);
    await store.saveDesign(file);
    const saved = state(made.id, { workflowId: file.id });
    clock.now += 5_000;

    expect(await store.saveAgentState(saved)).toBe(true);

    expect(await store.agentState(made.id, user)).toEqual(saved);
    expect(await store.session(made.id, user)).toMatchObject({
      agentStage: "negotiation",
      updatedAt: clock.now,
    });
  });

  it("replaces a state by the next one, but for when it was made", async () => {
    const { store } = rig();
    const made = session();
    await store.createSession(made);
    const first = state(made.id);
    await store.saveAgentState(first);

    const second = state(made.id, { stage: "debug", createdAt: 5, updatedAt: 1_800_000_000_000, gaps: [] });
    await store.saveAgentState(second);

    expect(await store.agentState(made.id, user)).toEqual({ ...second, createdAt: first.createdAt });
  });

  it("writes nothing into what is somebody else's, or is not there", async () => {
    const { store } = rig();
    const made = session();
    await store.createSession(made);
    const stranger = randomUUID();

    expect(await store.saveAgentState(state(made.id, { userId: stranger }))).toBe(false);
    expect(await store.saveAgentState(state(randomUUID()))).toBe(false);
    expect(await store.removeSession(made.id, stranger)).toBe(false);

    expect(await store.session(made.id, user)).toMatchObject({ agentStage: null });
    expect(await store.agentState(made.id, user)).toBeUndefined();
  });

  it("refuses a stage that there is not, a count below zero, and a design that there is not", async () => {
    const { store } = rig();
    const made = session();
    await store.createSession(made);
    await store.saveAgentState(state(made.id));

    await expect(store.saveAgentState(state(made.id, { stage: "dreaming" }))).rejects.toThrow();
    await expect(store.saveAgentState(state(made.id, { debugLoopCount: -1 }))).rejects.toThrow();
    await expect(store.saveAgentState(state(made.id, { workflowId: randomUUID() }))).rejects.toThrow();

    expect(await store.agentState(made.id, user)).toEqual(state(made.id));
    expect(await store.session(made.id, user)).toMatchObject({ agentStage: "negotiation" });
  });

  it("lists a person's sessions that are not completed, the last used first", async () => {
    const { store, clock } = rig();
    const [first, second, done] = [session(), session(), session()];
    for (const one of [first, second, done, session({ userId: randomUUID() })]) {
      clock.now += 10;
      await store.createSession(one);
    }
    await store.saveAgentState(state(done.id, { stage: "completed" }));
    clock.now += 10;
    await store.saveAgentState(state(first.id));

    expect((await store.activeSessions(user, 10)).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await store.activeSessions(user, 1)).map(({ id }) => id)).toEqual([first.id]);
  });

  it("removes a session with its state, and keeps what it made", async () => {
    const { store } = rig();
    const made = session();
    const file = design();
    await store.createSession(made);
    await store.saveDesign(file);
    await store.saveAgentState(state(made.id, { workflowId: file.id }));

    expect(await store.removeSession(made.id, user)).toBe(true);

    expect(await store.agentState(made.id, user)).toBeUndefined();
    expect(await store.removeSession(made.id, user)).toBe(false);
    expect(await store.design(file.id, user)).toMatchObject(file);
  });

  it("changes a design for its owner alone", async () => {
    const { store, clock } = rig();
    const file = design();
    const createdAt = clock.now;
    expect(await store.saveDesign(file)).toBe(true);
    clock.now += 1_000;

    const changed = { ...file, name: "sort", source: "name: sort\n", dryRun: { ok: true, edges: [] } };
    expect(await store.saveDesign(changed)).toBe(true);
    expect(await store.saveDesign({ ...changed, userId: randomUUID(), name: "stolen" })).toBe(false);

    expect(await store.design(file.id, user)).toEqual({ ...changed, createdAt, updatedAt: clock.now });
    expect(await store.design(file.id, randomUUID())).toBeUndefined();
  });

  it("forgets sessions in which nothing was said for long, and designs that nothing refers to any more", async () => {
    const { store, clock } = rig();
    const [old, young] = [session(), session()];
    const [orphan, used] = [design(), design()];
    for (const file of [orphan, used]) await store.saveDesign(file);
    await store.createSession(old);
    await store.saveAgentState(state(old.id, { workflowId: orphan.id }));
    await store.createSession(young);
    clock.now += 1_000;
    await store.saveAgentState(state(young.id, { workflowId: used.id }));
    clock.now += 500;

    await store.forget(1_000);

    expect(await store.session(old.id, user)).toBeUndefined();
    expect(await store.agentState(old.id, user)).toBeUndefined();
    expect(await store.design(orphan.id, user)).toBeUndefined();
    expect(await store.agentState(young.id, user)).toMatchObject({ workflowId: used.id });
    expect(await store.design(used.id, user)).toMatchObject(used);
  });

  it("gives everybody's sessions and designs for copying, each once", async () => {
    const { store } = rig();
    const sessions = Array.from({ length: 45 }, () => session({ userId: randomUUID() }));
    const designs = Array.from({ length: 45 }, (_, n) =>
      design({ userId: randomUUID(), name: `design-${n}` }),
    );
    for (const one of sessions) await store.createSession(one);
    for (const one of designs) await store.saveDesign(one);

    const byId = (items: readonly { id: string }[]) => new Map(items.map((one) => [one.id, one]));
    const [foundSessions, foundDesigns] = [await all(store.allSessions()), await all(store.allDesigns())];

    expect(foundSessions).toHaveLength(45);
    expect(foundDesigns).toHaveLength(45);
    for (const one of sessions) expect(byId(foundSessions).get(one.id)).toMatchObject(one);
    for (const one of designs) expect(byId(foundDesigns).get(one.id)).toMatchObject(one);
  });

  it("keeps many sessions apart that are written at once, through two connections", async () => {
    const { store, another } = rig();
    const other = await another();
    const made = Array.from({ length: 10 }, () => session());
    await Promise.all(made.map((one, n) => (n % 2 ? other : store).createSession(one)));

    await Promise.all(
      made.flatMap((one, n) =>
        [1, 2, 3].map((loop) =>
          (loop % 2 ? other : store).saveAgentState(
            state(one.id, { intentSummary: `session ${n}`, debugLoopCount: loop }),
          ),
        ),
      ),
    );

    const found = await Promise.all(made.map((one) => store.agentState(one.id, user)));
    expect(found.map((one) => one?.intentSummary)).toEqual(made.map((_, n) => `session ${n}`));
    await other.close();
  });
};
