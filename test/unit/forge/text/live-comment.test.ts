import { describe, expect, it } from "vitest";
import { liveComment } from "../../../../src/forge/text/live-comment.ts";
import { threadMarker } from "../../../../src/forge/text/marker.ts";
import { isShownIn } from "../../../../src/forge/text/plan.ts";
import type { ThreadView } from "../../../../src/forge/text/thread-view.ts";
import { roleView as role, exampleView as view } from "../../../fixtures/thread-views.ts";

const { thread } = view();
const at = Date.UTC(2026, 10, 21, 20, 9);
const firstLine = (change: Partial<ThreadView>): string | undefined =>
  liveComment(view(change)).split("\n")[1];

describe("liveComment", () => {
  it("shows where the thread is, what was done, what it cost and what helps", () => {
    expect(liveComment(view())).toBe(`${threadMarker(thread)}
**Working.** \`developer\` has been at work since 21 Nov 20:05 UTC.

- [x] \`preparer\`
- [ ] \`developer\` (now)
- [ ] \`submitter\`

<details>
<summary>1. <code>preparer</code> · 12 s · 4.1k tokens · $0.01</summary>

Ran \`npm test\`.

</details>

\`/pause\` lets it rest after what it is doing · \`/stop\` ends the work now; what is done is kept

<sub>\`solve-issue\` · 1 min 15 s · 4.1k tokens · $0.01 · $1.99 of $2.00 left · for \`mona\` (label) · thread \`${thread}\`</sub>`);
  });

  it("says what was left out of the texts because nobody would have seen it", () => {
    const leftOut = { comments: 2, characters: 14 };

    expect(liveComment(view({ leftOut }))).toContain(
      "\n\nHidden text in the issue was left out: 2 HTML comments, 14 invisible characters.\n\n",
    );
    expect(liveComment(view({ leftOut: { elements: 1 }, on: "pull requests" }))).toContain(
      "\n\nHidden text in the pull request was left out: 1 hidden HTML element.\n\n",
    );
    expect(liveComment(view())).not.toContain("Hidden text");
  });

  const pull = { number: 13, url: "https://h/13" };
  it.each<[Partial<ThreadView>, string]>([
    [{ state: "queued", awaits: { kind: "worker" } }, "**Queued.** It begins as soon as a worker is free."],
    [
      { state: "queued", awaits: { kind: "retry", at }, reason: "developer: 429. It will be tried again." },
      "**Waiting.** developer: 429. The next try is at 21 Nov 20:09 UTC.",
    ],
    [{ state: "paused", reason: "the budget of $5 is spent" }, "**Paused.** the budget of $5 is spent."],
    [
      { state: "paused", pullRequest: { ...pull, draft: "yes" } },
      "**Paused.** The work so far is in pull request [#13](https://h/13).",
    ],
    [
      { state: "suspended", awaits: { kind: "answer", question: "Which?" }, reason: "Which?" },
      "**Waiting for an answer.**",
    ],
    [
      { state: "suspended", awaits: { kind: "comment" }, reason: "Bugs alone?" },
      "**Waiting for an answer.** Bugs alone?",
    ],
    [
      { state: "suspended", awaits: { kind: "failure", question: "No model." }, reason: "No model." },
      "**Failed.**",
    ],
    [
      {
        state: "suspended",
        awaits: { kind: "approval", plan: {}, base: "a8977adabcee3678" },
        reason: "Waits.",
      },
      "**Waiting for approval of the plan below.** It was made for commit `a8977adabcee`.",
    ],
    [
      { state: "suspended", awaits: { kind: "person" }, reason: "No edge holds." },
      "**Waiting for a person.** No edge holds.",
    ],
    [{ state: "failed", reason: "The model refused.\n@ada" }, "**Failed.** The model refused. @\u200bada."],
    [{ state: "cancelled", reason: "Stopped by mona." }, "**Stopped** by mona."],
    [{ state: "paused", reason: "Paused after 3 steps" }, "**Paused** after 3 steps."],
    [
      { state: "completed", pullRequest: { ...pull, draft: "no" } },
      "**Done.** Pull request [#13](https://h/13) is ready for review.",
    ],
    [
      { state: "completed", workflow: "develop", unpublished: 1 },
      "**Done.** Nothing was pushed: no role of `develop` publishes. The file that it changed is kept with its last step.",
    ],
    [
      { state: "completed", workflow: "develop", unpublished: 2 },
      "**Done.** Nothing was pushed: no role of `develop` publishes. The 2 files that it changed are kept with its last step.",
    ],
    [
      { state: "completed", pullRequest: { ...pull, draft: "until-checks-pass" } },
      "**Done.** Pull request [#13](https://h/13) is open, as a draft until its checks pass.",
    ],
    [
      { state: "completed", commit: { name: "abc1234", url: "https://h/c" }, answered: 2 },
      "**Done.** It pushed [`abc1234`](https://h/c). It answered 2 conversations.",
    ],
    [
      { state: "completed", reviewed: { name: "abc1234", url: "https://h/c" } },
      "**Done.** It reviewed [`abc1234`](https://h/c).",
    ],
    [
      { state: "paused", branch: { name: "uwf/issue-1", url: null } },
      "**Paused.** The work so far is on `uwf/issue-1`.",
    ],
    [
      { state: "failed", branch: { name: "uwf/issue-1", url: "https://h/b" } },
      "**Failed.** The work so far is on [`uwf/issue-1`](https://h/b).",
    ],
  ])("says of %j: %s", (change, line) => {
    expect(firstLine(change)).toBe(line);
  });

  it.each<[Partial<ThreadView>, string | null]>([
    [{ state: "queued" }, "`/stop` ends the work now; what is done is kept"],
    [{ state: "paused" }, "`/resume [note]` lets it go on · `/stop` ends the work now; what is done is kept"],
    [
      { state: "paused", budget: { spentUsd: 2.01, limitUsd: 2 } },
      "`/resume [note]` lets it go on, for $2.00 more · `/stop` ends the work now; what is done is kept",
    ],
    [
      { state: "suspended", awaits: { kind: "answer", question: "Which?" } },
      "`/resume [note]` answers it · `/stop` ends the work now; what is done is kept",
    ],
    [
      { state: "suspended", awaits: { kind: "approval", plan: {}, base: null } },
      "`/approve` goes on with the plan that is shown · `/resume [note]` has the plan changed · `/stop` ends the work now; what is done is kept",
    ],
    [
      { state: "suspended", awaits: { kind: "approval", plan: "word ".repeat(10_000), base: null } },
      "`/resume [note]` has the plan changed · `/stop` ends the work now; what is done is kept",
    ],
    [{ state: "failed" }, "`/resume [note]` goes on from where it stopped · `/retry` starts over"],
    [{ state: "failed", commands: ["retry"] }, "`/retry` starts over"],
    [
      { state: "completed", on: "pull requests", commands: ["fix", "stop"] },
      "`/fix [note]` works on open review comments and your note",
    ],
    [{ state: "completed" }, null],
  ])("offers of the commands those that help: %#", (change, line) => {
    const offers = liveComment(view(change))
      .split("\n")
      .filter((each) => each.startsWith("`/"));
    expect(offers).toEqual(line === null ? [] : [line]);
  });

  it("tells how to go on where comments are not obeyed", () => {
    const waiting = liveComment(view({ state: "paused", commands: [] }));

    expect(waiting).toContain(
      `On the bot's machine, \`uwf thread resume ${thread} "your note"\` lets it go on.`,
    );
    expect(liveComment(view({ state: "completed", commands: [] }))).not.toContain("uwf thread");
  });

  it("answers a command right below the state", () => {
    const notice = {
      to: "ada",
      text: "each on a line of its own:\n\n- `/solve [note]` works\n- `/stop` ends",
    };

    expect(liveComment(view({ notice }))).toContain(
      "20:05 UTC.\n\n> To `ada`: each on a line of its own:\n> \n> - `/solve [note]` works\n> - `/stop` ends\n\n- [x]",
    );
  });

  it("shows a question whole, and not a second time among the summaries", () => {
    const question = `Which of these?\n\n- ${"this ".repeat(200)}\n- that`;
    const asked = role("developer", { state: "asked", summary: question, ms: 1_000 });
    const comment = liveComment(
      view({ state: "suspended", awaits: { kind: "answer", question }, roles: [asked] }),
    );

    expect(comment).toContain(`> Which of these?\n> \n> - ${"this ".repeat(200).trimEnd()}`);
    expect(comment).toContain("- [x] `developer` (asked)");
    expect(comment.match(/Which of these/g)).toHaveLength(1);
  });

  it("shows a plan so that it can be approved, however much else there is", () => {
    const plan = { summary: "word ".repeat(5_000), steps: [{ what: "it" }] };
    const long = role("developer", { state: "done", summary: "word ".repeat(5_000), ms: 1 });
    const notice = { to: "mona", text: "no ".repeat(1_000) };
    const comment = liveComment(
      view({
        state: "suspended",
        awaits: { kind: "approval", plan, base: null },
        roles: Array.from({ length: 60 }, () => long),
        notice,
      }),
    );

    expect(isShownIn(comment, plan)).toBe(true);
    expect(comment.length).toBeLessThan(60_000);
  });

  it("counts what is left since a person let it go on", () => {
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 0, costUsd: 2.5 };
    const footer = (change: Partial<ThreadView>) => liveComment(view(change)).split("\n").at(-1);

    expect(footer({ usage, budget: { spentUsd: 0.5, limitUsd: 2 } })).toContain(
      "· $2.50 · $0.50 since it went on, $1.50 of $2.00 left ·",
    );
    expect(footer({ usage, budget: { spentUsd: 2.5, limitUsd: 2 } })).toContain("· $0.00 of $2.00 left ·");
    expect(footer({ usage, budget: { spentUsd: 0.001, limitUsd: 0.004 } })).toContain(
      "$0.001 since it went on, $0.003 of $0.004 left",
    );
    expect(footer({ budget: null })).not.toContain("left");
    expect(footer({ state: "completed" })).not.toContain("left");
  });

  it.each<[Partial<ThreadView>, string]>([
    [{ trigger: "solve" }, "for `mona` (`/solve`)"],
    [{ trigger: "review", workflow: "review-pr" }, "for `mona` (`/review`)"],
    [{ trigger: "review", workflow: "address-review" }, "for `mona` (review)"],
    [{ trigger: "", workflow: "greet" }, "for `mona` · thread"],
    [{ trigger: "checks" }, "for `mona` (failed checks)"],
    [{ trigger: null }, "for `mona` · thread"],
    [{ forkOf: thread }, `forked from thread \`${thread}\``],
  ])("says where it comes from: %j", (change, text) => {
    expect(liveComment(view(change)).split("\n").at(-1)).toContain(text);
  });

  it("shows the roles of a workflow below the role that it plays", () => {
    const within = [role("coder", { state: "done" }), role("reviewer", { state: "running" }), role("tester")];
    const comment = liveComment(
      view({ roles: [role("developer", { state: "running", within }), role("submitter")] }),
    );

    expect(comment).toContain(
      "- [ ] `developer` (now)\n  - [x] `coder`\n  - [ ] `reviewer` (now)\n  - [ ] `tester`\n- [ ] `submitter`",
    );
  });

  it("shows that a role failed, with what it said", () => {
    const failed = role("developer", { state: "failed", summary: "No way.", ms: 1_000 });
    const comment = liveComment(view({ state: "failed", roles: [failed] }));

    expect(comment).toContain("- [ ] `developer` (failed)");
    expect(comment).toContain("<summary><code>developer</code> · 1 s</summary>\n\nNo way.");
  });

  it("gives no role a way out of its box", () => {
    const hostile = role("<b>&amp;", {
      state: "done",
      summary: "</details>\n\n@ada fixes #1\n```\n</details>",
    });
    const comment = liveComment(view({ roles: [hostile] }));

    expect(comment).toContain("<code>&lt;\u200bb&gt;&amp;\u200bamp;</code>");
    expect(comment).not.toContain("@ada");
    expect(comment).toContain("```\n</details>\n```\n\n</details>");
    expect(comment.match(/^<details>$/gm)).toHaveLength(1);
  });

  it("stays within what forges take, however long the thread", () => {
    const { usage } = view();
    const long = role("developer", { state: "done", summary: "word ".repeat(5_000), ms: 1, usage });
    const comments = [5, 60, 900].map((count) =>
      liveComment(view({ roles: Array.from({ length: count }, () => long) })),
    );

    for (const comment of comments) expect(comment.length).toBeLessThan(60_000);
    expect(comments[0]).toContain("more characters were left out");
    expect(comments[2]).toContain("<summary>900. <code>developer</code>");
  });
});
