import { afterEach, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep, scriptedModel } from "../../../src/llm/scripted-model.ts";
import { approveThread } from "../../../src/thread/approval.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { runThread } from "../../../src/thread/run.ts";
import { documented } from "../../fixtures/documented-workflows.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

let bench: ThreadBench;
let source: GitSource;
afterEach(async () => {
  await bench.dispose();
  source.dispose();
});

/** Runs a file of docs/workflows.md; where it stops before its end, a person does what is next in `persons`. */
const runDocumented = async (
  name: string,
  {
    script,
    persons = [],
  }: { script: readonly ScriptedStep[]; persons?: readonly ("approve" | { note: string })[] },
) => {
  const model = scriptedModel(script);
  bench = await threadBench(model);
  source = gitSource({ "a.txt": "a \n" });
  const { id } = await bench.start(documented[name] ?? "", {
    repository: source.repository,
    workflows: documented,
  });
  const stops: (string | null)[] = [];
  const run = () => runThread(bench.engine, id, { signal: new AbortController().signal });
  let record = await run();
  for (const person of persons) {
    stops.push(record.reason);
    await (person === "approve"
      ? approveThread(bench.engine, id, null)
      : resumeThread(bench.engine, id, person.note));
    record = await run();
  }
  model.assertDone();
  const { steps } = await bench.store.history(record.head);
  return {
    stops,
    status: record.status,
    roles: steps.map(({ step }) => step.role),
    tasks: steps.map(({ step }) => step.task),
  };
};

const plan = resolves({ steps: ["Take the space away.", "Look again."], risk: "low" });
const done = resolves({ status: "done", summary: "Took it away.", files: ["a.txt", "b.txt"] });

it("tidy publishes what was mended", async () => {
  const { status, roles, tasks } = await runDocumented("tidy", {
    script: [
      calls("shell_exec", { command: "printf 'a\\n' > a.txt" }),
      calls("git_diff", {}),
      resolves({ status: "done", summary: "Took a space away." }),
      resolves({ title: "Tidy up", body: "It was untidy." }),
    ],
  });

  expect({ status, roles }).toEqual({ status: "completed", roles: ["fixer", "submitter"] });
  expect(tasks[1]).toBe("The change: Took a space away.");
});

it("tidy-and-tell has tidy play a role", async () => {
  const { status, roles, tasks } = await runDocumented("tidy-and-tell", {
    script: [
      calls("shell_exec", { command: "printf 'a\\n' > a.txt" }),
      resolves({ status: "done", summary: "Took a space away." }),
      resolves({ title: "Tidy up", body: "It was untidy." }),
      calls("git_diff", {}),
      resolves({ text: "A space is gone." }),
    ],
  });

  expect({ status, roles }).toEqual({ status: "completed", roles: ["fixer", "teller"] });
  expect(tasks).toEqual(["Do it.", "Tidy up"]);
});

it("careful waits for the plan's approval and when it is blocked, loops, and goes on after its end", async () => {
  const blocked = resolves({ status: "blocked", summary: "It is locked.", files: [] });
  const { stops, status, roles, tasks } = await runDocumented("careful", {
    script: [
      plan,
      blocked,
      blocked,
      resolves({ status: "blocked", summary: "Still.", files: [], open: "The lock." }),
      done,
      resolves({ approve: false, comments: [{ path: "a.txt", text: "No newline." }] }),
      done,
      resolves({ approve: true, comments: [] }),
      done,
      resolves({ approve: true, comments: [] }),
    ],
    persons: ["approve", { note: "It is unlocked now." }, { note: "Once more, for b.txt." }],
  });

  expect(stops).toEqual([
    "Waits for the approval of what was answered.",
    "Blocked three times: The lock.",
    null,
  ]);
  expect(status).toBe("completed");
  expect(roles).toEqual("planner coder coder coder coder reviewer coder reviewer coder reviewer".split(" "));
  expect(tasks[1]).toMatch(/^Do it\.\s+1\. Take the space away\.\s+2\. Look again\.\s*$/);
  expect(tasks[2]).toBe("Take another way. What blocked you: It is locked.");
  expect(tasks[5]).toBe("Review a.txt, b.txt: Took it away.");
  expect(tasks[6]).toContain("- a.txt: No newline.");
  expect(tasks[8]).toMatch(
    /^Do it\.\s+You have worked on this before: Took it away\.\s.*Once more, for b\.txt\.$/s,
  );
});

it("pair asks by an edge, reviews, and tells roles what the work is about", async () => {
  const { stops, status, roles, tasks } = await runDocumented("pair", {
    script: [
      resolves({ $status: "unclear", question: "Which file?" }),
      resolves({ $status: "ready", plan: "Take the space away." }),
      resolves({ $status: "done", files: "a.txt" }),
      resolves({ $status: "rejected", comments: "No newline." }),
      resolves({ $status: "done", files: "a.txt" }),
      resolves({ $status: "approved" }),
    ],
    persons: [{ note: "The only one." }],
  });

  expect({ stops, status }).toEqual({ stops: ["Which file?"], status: "completed" });
  expect(roles).toEqual("planner planner coder reviewer coder reviewer".split(" "));
  expect(tasks[2]).toMatch(/^Do this: Take the space away\.\n\nThis is part of .*<work>\nDo it\.\n<\/work>/s);
  expect(tasks[4]).toMatch(/^Mend this: No newline\./);
});
