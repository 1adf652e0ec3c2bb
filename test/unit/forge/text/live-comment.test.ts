import { describe, expect, it } from "vitest";
import type { ThreadId } from "../../../../src/base/ids.ts";
import { liveComment } from "../../../../src/forge/text/live-comment.ts";
import { threadMarker } from "../../../../src/forge/text/marker.ts";
import type { RoleView, ThreadView } from "../../../../src/forge/text/thread-view.ts";

const thread = "01M7XDZAYQBH3ZGNTHQM0BYJQ2" as ThreadId;
const usage = { inputTokens: 4_000, cachedInputTokens: 0, outputTokens: 100, costUsd: 0.01 };

const role = (name: string, change: Partial<RoleView> = {}): RoleView => ({
  name,
  state: "waiting",
  summary: null,
  ms: null,
  usage: null,
  ...change,
});
const preparer = role("preparer", { state: "done", summary: "Ran `npm test`.", ms: 12_000, usage });

const view = (change: Partial<ThreadView> = {}): ThreadView => ({
  thread,
  workflow: "solve-issue",
  state: "running",
  reason: null,
  roles: [preparer, role("developer", { state: "running" }), role("submitter")],
  branch: null,
  pullRequest: null,
  usage,
  ms: 75_000,
  commands: ["stop", "pause", "resume", "retry", "status"],
  ...change,
});

const firstLine = (change: Partial<ThreadView>): string | undefined =>
  liveComment(view(change)).split("\n")[1];

describe("liveComment", () => {
  it("shows where the thread is, what was done, what it cost and what helps", () => {
    expect(liveComment(view())).toBe(`${threadMarker(thread)}
**Working.** \`developer\` is at it.

- [x] \`preparer\`
- [ ] \`developer\` (now)
- [ ] \`submitter\`

<details>
<summary><code>preparer</code> · 12 s · 4.1k tokens · $0.01</summary>

Ran \`npm test\`.

</details>

\`/pause\` lets it rest · \`/stop\` ends it

<sub>\`solve-issue\` · 1 min 15 s · 4.1k tokens · $0.01 · thread \`${thread}\`</sub>`);
  });

  it.each<[Partial<ThreadView>, string]>([
    [{ state: "queued" }, "**Queued.** It begins as soon as a worker is free."],
    [{ state: "paused", reason: "the budget of $5 is spent" }, "**Paused.** the budget of $5 is spent."],
    [{ state: "suspended", reason: "Which one?" }, "**Waiting for an answer.** Which one?"],
    [{ state: "failed", reason: "The model refused.\n@ada" }, "**Failed.** The model refused. @\u200bada."],
    [{ state: "cancelled" }, "**Stopped.**"],
    [
      { state: "completed", pullRequest: { number: 13, url: "https://h/13", draft: false } },
      "**Done.** See pull request [#13](https://h/13).",
    ],
    [
      { state: "completed", pullRequest: { number: 13, url: "https://h/13", draft: true } },
      "**Done.** See draft pull request [#13](https://h/13).",
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

  it.each<[ThreadView["state"], string]>([
    ["queued", "`/stop` ends it"],
    ["paused", "`/resume [note]` lets it go on · `/stop` ends it"],
    ["failed", "`/retry` starts over"],
  ])("names the commands that help when it is %s", (state, line) => {
    expect(liveComment(view({ state })).split("\n")).toContain(line);
  });

  it("tells how to go on where comments are not obeyed", () => {
    const waiting = liveComment(view({ state: "paused", commands: [] }));

    expect(waiting).toContain(
      `On the bot's machine, \`uwf thread resume ${thread} "your note"\` lets it go on.`,
    );
    expect(liveComment(view({ state: "completed", commands: [] }))).not.toContain("uwf thread");
  });

  it("shows that a role failed, with what it said", () => {
    const failed = role("developer", { state: "failed", summary: "No way.", ms: 1_000 });
    const comment = liveComment(view({ state: "failed", roles: [preparer, failed] }));

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
    const long = role("developer", { state: "done", summary: "word ".repeat(5_000), ms: 1, usage });
    const comments = [5, 60, 900].map((count) =>
      liveComment(view({ roles: Array.from({ length: count }, () => long) })),
    );

    for (const comment of comments) expect(comment.length).toBeLessThan(65_000);
    expect(comments[0]).toContain("more characters were left out");
  });
});
