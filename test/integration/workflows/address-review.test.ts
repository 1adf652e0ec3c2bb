import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves, type ScriptedStep } from "../../../src/llm/scripted-model.ts";
import { resumeThread } from "../../../src/thread/commands.ts";
import { rightSum, taskOf, type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

const BRANCH = "uwf/issue-12-the-sum-is-wrong";
const pullRequest = { number: 1, branch: BRANCH, repository: "acme/parser" };
const changes = [{ path: "sum.mjs", what: "adds" }];
const verification = [{ command: "node --test", result: "passed" }];
const answers = [
  { conversation: "c1", verdict: "done", text: "It adds now." },
  { conversation: "c2", verdict: "declined", text: "Two numbers are enough: sum.test.mjs." },
];
const revised = (change: object) =>
  resolves({ status: "done", summary: "It adds.", changes, verification, answers, open: null, ...change });
const submits = resolves({
  title: "Add instead of subtracting",
  body: "It adds now.",
  answers: answers.map(({ conversation, text }) => ({ conversation, text })),
});
const CHANGES = [
  calls("read_file", { path: "sum.mjs" }),
  calls("write_file", { path: "sum.mjs", content: rightSum }),
  calls("shell_exec", { command: "node --test" }),
];

let bench: WorkflowBench;
afterEach(() => bench.dispose());

const begin = async (script: readonly ScriptedStep[]) => {
  bench = await workflowBench(script);
  const { forge, repository } = bench;
  repository.git("checkout", "--quiet", "-b", BRANCH);
  const base = repository.commit({ "readme.md": "A sum.\n" });
  repository.git("checkout", "--quiet", "main");
  forge.pulls.push({ number: 1, url: "https://forge/pull/1", branch: BRANCH, draft: false, state: "open" });
  const talk = { line: 1, diffHunk: null, isResolved: false };
  for (const id of ["c1", "c2"]) {
    const comments = [{ author: "mona", isOwn: false, body: "Why?", at: 1 }];
    forge.threads.push({ ...talk, id, path: "sum.mjs", comments });
  }
  const input = "Conversation c1 on sum.mjs, line 1:\n\nmona: Why does it subtract?";
  const { id } = await bench.begin("address-review", { input, trigger: "review", pullRequest });
  return { id, base };
};

describe("address-review", () => {
  it("adds one commit to the branch and answers each conversation", async () => {
    const { id, base } = await begin([...CHANGES, revised({}), submits]);

    const record = await bench.run(id);

    const { forge, repository, model } = bench;
    expect(record).toMatchObject({ status: "completed", reason: null });
    expect(repository.git("rev-parse", `${BRANCH}~1`)).toBe(base);
    expect(repository.git("log", "-1", "--format=%s", BRANCH)).toBe("Add instead of subtracting");
    expect(repository.git("diff", "--name-only", base, BRANCH)).toBe("sum.mjs");
    expect(forge.replies.map(({ thread, body }) => [thread, body.split("\n")[0]])).toEqual([
      ["c1", "It adds now."],
      ["c2", "Two numbers are enough: sum.test.mjs."],
    ]);
    expect(forge.called.filter((name) => /PullRequest/.test(name) && /create|update/.test(name))).toEqual([]);
    expect(taskOf(model, "reviser")).toContain("mona: Why does it subtract?");
    expect(taskOf(model, "submitter")).toContain("- conversation c2, declined: Two numbers are enough");
    model.assertDone();
  });

  it("answers alone when nothing has to change", async () => {
    const { id, base } = await begin([revised({ changes: [] }), submits]);

    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    expect(bench.repository.git("rev-parse", BRANCH)).toBe(base);
    expect(bench.forge.replies).toHaveLength(2);
  });

  it("fails, pushing and answering nothing, when somebody else has pushed meanwhile", async () => {
    const { id } = await begin([...CHANGES, revised({}), submits]);
    bench.repository.git("checkout", "--quiet", BRANCH);
    const theirs = bench.repository.commit({ "theirs.md": "1\n" });
    bench.repository.git("checkout", "--quiet", "main");

    expect(await bench.run(id)).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(
        /^submitter: uwf\/issue-12\S* has moved on .* `\/retry` starts over from there\.$/,
      ),
    });

    expect(bench.repository.git("rev-parse", BRANCH)).toBe(theirs);
    expect(bench.forge.replies).toEqual([]);
  });

  it("tries three times, then asks a person, and goes on with the answer", async () => {
    const blocked = revised({ status: "blocked", changes: [], answers: [], open: "It does not run." });
    const { id } = await begin([blocked, blocked, blocked, ...CHANGES, revised({}), submits]);

    expect(await bench.run(id)).toMatchObject({
      status: "suspended",
      reason: expect.stringMatching(/could not be done\. It adds\.\s+What blocks it: It does not run\./),
    });
    expect(taskOf(bench.model, "reviser")).toContain("It does not run.");

    await resumeThread(bench.engine, id, "Run it with node 24.");
    expect(await bench.run(id)).toMatchObject({ status: "completed", reason: null });

    const task = taskOf(bench.model, "reviser");
    expect(task).toContain("Run it with node 24.");
    expect(task).toContain("mona: Why does it subtract?");
    expect(bench.forge.replies).toHaveLength(2);
    bench.model.assertDone();
  });
});
