import { describe, expect, it } from "vitest";
import { decide, type PastStep, type Situation, suspension } from "../../../src/thread/moderator.ts";
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
const situation = (steps: readonly PastStep[], resumed: Situation["resumed"] = null): Situation => ({
  input: "the input",
  steps,
  resumed,
});
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
