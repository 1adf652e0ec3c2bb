import { describe, expect, it } from "vitest";
import {
  decide,
  needsApproval,
  type PastStep,
  type Situation,
  suspension,
} from "../../../src/thread/moderator.ts";
import type { Workflow } from "../../../src/workflow/workflow.ts";

const role = (name: string): Workflow["roles"][string] => ({
  name,
  description: "",
  systemPrompt: "",
  schema: { type: "object" },
  tools: null,
  model: null,
  limits: {},
  publish: null,
  workflow: null,
});
const edge = (from: string, to: string, more: Partial<Workflow["moderator"][number]> = {}) => ({
  from,
  to,
  when: null,
  prompt: null,
  on: null,
  ...more,
});
const workflow: Workflow = {
  name: "w",
  description: "",
  roles: { plan: role("plan"), code: role("code"), greet: role("greet") },
  moderator: [
    edge("$START", "greet", { on: "resume", prompt: "Welcome back." }),
    edge("$START", "plan"),
    edge("plan", "code", { prompt: "Do {{ step }} for {{ input }}; first was {{ steps.plan.step }}." }),
    edge("code", "$END", { when: 'output.status == "done"' }),
    edge("code", "code", { when: "visits.code < 2", prompt: "Again." }),
    edge("greet", "$END"),
  ],
};
const plan: PastStep = { role: "plan", task: "the input", output: { step: "one" } };
const code = (status: string): PastStep => ({ role: "code", task: "Do one.", output: { status } });
const situation = (
  steps: readonly PastStep[],
  resumed: Situation["resumed"] = null,
  more: Partial<Situation> = {},
): Situation => ({ input: "the input", trigger: "", steps, resumed, approved: false, ...more });
const fresh = { note: null, completed: false };

describe("decide", () => {
  const cases: [string, Situation, Awaited<ReturnType<typeof decide>>][] = [
    [
      "begins at $START with the input as the task",
      situation([]),
      { kind: "run", role: "plan", task: "the input" },
    ],
    [
      "renders the edge's prompt over the last output, the input and each role's last output",
      situation([plan]),
      { kind: "run", role: "code", task: "Do one for the input; first was one." },
    ],
    ["takes the first edge whose condition holds", situation([plan, code("done")]), { kind: "end" }],
    ["counts visits", situation([plan, code("no")]), { kind: "run", role: "code", task: "Again." }],
    [
      "suspends when no edge holds",
      situation([plan, code("no"), code("no")]),
      { kind: "suspend", reason: "No edge from code holds for its last output." },
    ],
    [
      "runs the last role with the note when no edge held before",
      situation([plan, code("no"), code("no")], { note: "Try blue.", completed: false }),
      {
        kind: "run",
        role: "code",
        task: "Do one.\n\nYou stopped at this task before, because: No edge from code holds for its last output.\n\nA person who may decide adds:\n\nTry blue.",
      },
    ],
    [
      "adds a note to the next role's task",
      situation([plan, code("no")], { note: "Quickly.", completed: false }),
      { kind: "run", role: "code", task: "Again.\n\nA person who may decide adds:\n\nQuickly." },
    ],
    [
      "suspends when a condition cannot be evaluated",
      situation([plan, { role: "code", task: "", output: {} }]),
      { kind: "suspend", reason: expect.stringContaining("After code: ") as unknown as string },
    ],
    [
      "enters a completed thread again by the resume edges",
      situation([plan, code("done")], { note: null, completed: true }),
      { kind: "run", role: "greet", task: "Welcome back." },
    ],
  ];

  it.each(cases)("%s", async (_name, given, expected) => {
    expect(await decide(workflow, given)).toEqual(expected);
  });

  it("suspends with the reason of a role that waits, and runs it again once a person resumed", async () => {
    const waiting: PastStep = {
      role: "code",
      task: "Do one.",
      output: { $status: "$SUSPEND", reason: "Which?" },
    };

    const first = await decide(workflow, situation([plan, waiting]));
    const again = await decide(workflow, situation([plan, waiting], { ...fresh, note: "The left one." }));

    expect(first).toEqual({ kind: "suspend", reason: "Which?" });
    expect(again).toMatchObject({
      kind: "run",
      role: "code",
      task: expect.stringMatching(/Do one\..*Which\?.*The left one\./s),
    });
  });

  describe("at an edge that leads to $SUSPEND", () => {
    const asking: Workflow = {
      ...workflow,
      moderator: [
        edge("$START", "plan"),
        edge("plan", "$SUSPEND", { when: 'output.step == "ask"', prompt: " Which of {{ step }}? " }),
        edge("plan", "$SUSPEND"),
      ],
    };
    const ask: PastStep = { ...plan, output: { step: "ask" } };

    it("waits with the prompt as the question, also when nothing is answered", async () => {
      const expected = { kind: "suspend", reason: "Which of ask?" };

      expect(await decide(asking, situation([ask]))).toEqual(expected);
      expect(await decide(asking, situation([ask], fresh))).toEqual(expected);
    });

    it("runs the role before it again with the answer", async () => {
      const again = await decide(asking, situation([ask], { note: "The left one.", completed: false }));

      expect(again).toMatchObject({
        kind: "run",
        role: "plan",
        task: expect.stringMatching(/the input.*Which of ask\?.*The left one\./s),
      });
    });

    it("goes on below it with the answer, where a role is there, and waits while there is none", async () => {
      const below = (...edges: Workflow["moderator"][number][]): Workflow => ({
        ...workflow,
        moderator: [...asking.moderator.slice(0, 2), ...edges],
      });
      const onward = below(edge("plan", "code", { prompt: "Do {{ step }}." }));
      const answered = situation([ask], { note: "The left one.", completed: false });

      expect(await decide(onward, situation([ask], fresh))).toEqual({
        kind: "suspend",
        reason: "Which of ask?",
      });
      expect(await decide(onward, answered)).toMatchObject({
        role: "code",
        task: expect.stringMatching(/^Do ask\..*The left one\./s),
      });
      for (const to of ["$SUSPEND", "$END"])
        expect(await decide(below(edge("plan", to)), answered)).toMatchObject({ kind: "run", role: "plan" });
    });

    it("says that it waits where no prompt says why", async () => {
      const reason = "The workflow waits for a person here.";

      expect(await decide(asking, situation([plan]))).toEqual({ kind: "suspend", reason });
    });
  });

  it("prints nothing for a field that the schema knows and the output has not", async () => {
    const schema = {
      type: "object",
      properties: { step: { type: "string" }, note: { type: "string" } },
    };
    const known: Workflow = {
      ...workflow,
      roles: { ...workflow.roles, plan: { ...role("plan"), schema } },
      moderator: [edge("plan", "code", { prompt: "Do {{ step }}.{{ note }}" })],
    };

    expect(await decide(known, situation([plan]))).toMatchObject({ task: "Do one." });
  });

  it("says when a workflow does not go on after its end", async () => {
    const once: Workflow = { ...workflow, moderator: [edge("$START", "plan", { on: "new" })] };

    expect(await decide(once, situation([plan], { note: null, completed: true }))).toEqual({
      kind: "suspend",
      reason: "This workflow has no edge from $START for work that goes on after its end.",
    });
  });
});

describe("a decision by what began the thread", () => {
  const byTrigger: Workflow = {
    ...workflow,
    moderator: [
      edge("$START", "plan", { when: 'trigger == "plan"' }),
      edge("$START", "greet", { when: 'trigger in ["label", "review"]' }),
      edge("$START", "code"),
      edge("code", "$END", { when: 'trigger != "checks"' }),
    ],
  };

  it.each([
    ["plan", "plan"],
    ["label", "greet"],
    ["review", "greet"],
    ["solve", "code"],
    ["", "code"],
  ])("%j begins with %s", async (trigger, role) => {
    expect(await decide(byTrigger, situation([], null, { trigger }))).toMatchObject({ kind: "run", role });
  });

  it("is made anew after every step", async () => {
    const next = (trigger: string) => decide(byTrigger, situation([code("done")], null, { trigger }));

    expect(await next("plan")).toEqual({ kind: "end" });
    expect(await next("checks")).toMatchObject({ kind: "suspend" });
  });
});

describe("a role whose answer a person approves", () => {
  const approving: Workflow = {
    ...workflow,
    roles: { ...workflow.roles, plan: { ...role("plan"), approval: "required" } },
  };
  const waits = { kind: "suspend", reason: "Waits for the approval of what was answered." };
  const onward = { kind: "run", role: "code", task: "Do one for the input; first was one." };
  const note = "Two steps, please.";

  it("waits when it has answered, and again when somebody merely resumes", async () => {
    expect(await decide(approving, situation([plan]))).toEqual(waits);
    expect(await decide(approving, situation([plan], fresh))).toEqual(waits);
    expect(await decide(approving, situation([plan], { ...fresh, note: "" }))).toEqual(waits);
  });

  it("is followed by the next role once it is approved", async () => {
    expect(await decide(approving, situation([plan], fresh, { approved: true }))).toEqual(onward);
    expect(await decide(approving, situation([plan], null, { approved: true }))).toEqual(onward);
  });

  it("gives the next role the note that an approved thread is resumed with", async () => {
    const decision = await decide(approving, situation([plan], { ...fresh, note }, { approved: true }));

    expect(decision).toEqual({
      ...onward,
      task: `${onward.task}\n\nA person who may decide adds:\n\n${note}`,
    });
  });

  it("answers again, knowing its answer and the note, when a person wants it changed", async () => {
    const decision = await decide(approving, situation([plan], { ...fresh, note }));

    expect(decision).toEqual({
      kind: "run",
      role: "plan",
      task: `the input\n\nYou answered this before; a person wants it changed. Your answer was:\n\n{\n  "step": "one"\n}\n\nA person who may decide adds:\n\n${note}`,
    });
  });

  it("waits for what it asks when it asks instead of answering", async () => {
    const asking = { ...plan, output: { $status: "$SUSPEND", reason: "Which?" } };

    expect(await decide(approving, situation([asking]))).toEqual({ kind: "suspend", reason: "Which?" });
    expect(await decide(approving, situation([asking], fresh))).toMatchObject({ kind: "run", role: "plan" });
  });

  it("is not waited for where it is not the last, nor in a thread that had completed", async () => {
    expect(await decide(approving, situation([plan, code("no")]))).toMatchObject({ role: "code" });
    expect(await decide(approving, situation([plan], { ...fresh, completed: true }))).toMatchObject({
      role: "greet",
    });
  });

  it("needs approval once for each answer", () => {
    expect(needsApproval(approving, { steps: [], approved: false })).toBe(false);
    expect(needsApproval(approving, { steps: [plan], approved: false })).toBe(true);
    expect(needsApproval(approving, { steps: [plan], approved: true })).toBe(false);
    expect(needsApproval(approving, { steps: [plan, code("done")], approved: false })).toBe(false);
    expect(needsApproval(workflow, { steps: [plan], approved: false })).toBe(false);
  });
});

describe("a note where nothing would come any more", () => {
  const note = "Shorter.";
  const all = [plan, code("done")];

  it("lets the last role answer again, knowing its answer", async () => {
    expect(await decide(workflow, situation(all, { ...fresh, note }))).toEqual({
      kind: "run",
      role: "code",
      task: `Do one.\n\nYou answered this before; a person wants it changed. Your answer was:\n\n{\n  "status": "done"\n}\n\nA person who may decide adds:\n\n${note}`,
    });
  });

  it("is needed for that, and goes with no approval", async () => {
    expect(await decide(workflow, situation(all, fresh))).toEqual({ kind: "end" });
    expect(await decide(workflow, situation(all, { ...fresh, note: "" }))).toEqual({ kind: "end" });
    expect(await decide(workflow, situation(all, { ...fresh, note }, { approved: true }))).toEqual({
      kind: "end",
    });
  });
});

describe("suspension", () => {
  it.each([
    [{ $status: "$SUSPEND", reason: "Why" }, "Why"],
    [{ $status: "$SUSPEND" }, "The role gave no reason."],
    [{ $status: "done", reason: "Why" }, null],
    ["$SUSPEND", null],
    [null, null],
  ])("%j → %j", (output, reason) => {
    expect(suspension(output)).toBe(reason);
  });
});
