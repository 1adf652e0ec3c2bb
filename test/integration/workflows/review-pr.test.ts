import { afterEach, describe, expect, it } from "vitest";
import { calls, resolves } from "../../../src/llm/scripted-model.ts";
import { taskOf, type WorkflowBench, workflowBench } from "../../fixtures/workflow-bench.ts";

let bench: WorkflowBench;
afterEach(() => bench.dispose());

describe("review-pr", () => {
  it("reviews what the pull request changes, also one from a fork, and writes only what held", async () => {
    let seen = "";
    bench = await workflowBench([
      calls("shell_exec", { command: "git diff $(git merge-base HEAD origin/main) HEAD" }),
      ({ messages }) => {
        seen = String(messages.at(-1)?.content);
        return resolves({
          summary: "It makes a product of the sum.",
          findings: [
            {
              path: "sum.mjs",
              line: 1,
              severity: "blocker",
              problem: "It multiplies.",
              scenario: "sum(2, 3) is 6.",
              evidence: "node --test fails.",
            },
            {
              path: "sum.mjs",
              line: 1,
              severity: "minor",
              problem: "It has no type.",
              scenario: "Somebody passes texts.",
              evidence: "sum.mjs:1.",
            },
          ],
          checked: [{ command: "node --test", result: "1 failed" }],
        });
      },
      calls("read_file", { path: "sum.mjs" }),
      resolves({
        body: "It does not add.",
        comments: [{ path: "sum.mjs", line: 1, text: "This multiplies: sum(2, 3) is 6." }],
      }),
    ]);
    const { repository, forge } = bench;
    repository.git("checkout", "--quiet", "--detach");
    const head = repository.commit({ "sum.mjs": "export const sum = (a, b) => a * b;\n" });
    repository.git("update-ref", "refs/pull/1/head", head);
    repository.git("checkout", "--quiet", "main");
    forge.pulls.push({
      number: 1,
      url: "https://forge/pull/1",
      branch: "patch-1",
      draft: false,
      state: "open",
    });
    forge.details.set(1, { isOwn: false, head: { commit: head, repository: "eve/parser" } });

    const { id } = await bench.begin("review-pr", {
      input: "Multiply",
      trigger: "review",
      pullRequest: { number: 1, branch: "patch-1", repository: "eve/parser" },
    });
    const record = await bench.run(id);

    expect(record).toMatchObject({ status: "completed", reason: null });
    expect(seen).toContain("+export const sum = (a, b) => a * b;");
    const task = taskOf(bench.model, "editor");
    expect(task).toMatch(/1\. sum\.mjs:1, blocker.*2\. sum\.mjs:1, minor\n {3}Problem: It has no type\./s);
    expect(task).toContain("- `node --test`: 1 failed");
    expect(forge.reviews).toEqual([
      {
        commit: head,
        body: expect.stringContaining("It does not add."),
        comments: [{ path: "sum.mjs", line: 1, body: "This multiplies: sum(2, 3) is 6." }],
      },
    ]);
    bench.model.assertDone();
  });
});
