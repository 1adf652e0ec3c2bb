import { describe, expect, it } from "vitest";
import type { Hash, ThreadId } from "../../../../src/base/ids.ts";
import { pullRequestBody, type Receipt } from "../../../../src/forge/text/pull-request-body.ts";

const hash = (letter: string) => letter.repeat(52) as Hash;

const receipt = (change: Partial<Receipt> = {}): Receipt => ({
  thread: "01M7XDZAYQBH3ZGNTHQM0BYJQ2" as ThreadId,
  workflow: { name: "solve-issue", hash: hash("A") },
  roles: [{ role: "developer", model: "some|model", prompt: hash("B") }],
  commands: [
    { command: "npm test | tee log", ok: false, ms: 3200 },
    { command: "npm test", ok: true, ms: 61_000 },
  ],
  usage: { inputTokens: 40_000, cachedInputTokens: 0, outputTokens: 1_000, costUsd: 0.12 },
  ms: 192_000,
  base: "a8977adabcee3678c1feeba1fe986155b07ab96d",
  ...change,
});

describe("pullRequestBody", () => {
  it("is the submitter's text, what is closed, and a receipt", () => {
    expect(
      pullRequestBody({ body: "It was wrong.\n\nNow it is right.", issue: 12, receipt: receipt() }),
    ).toBe(
      `It was wrong.

Now it is right.

Closes #12

<details>
<summary>Receipt: 3 min 12 s · 41k tokens · $0.12</summary>

| | |
|---|---|
| Workflow | \`solve-issue\` \`AAAAAAAAAAAAA\` |
| \`developer\` | \`some\\|model\`, prompt \`BBBBBBBBBBBBB\` |
| Base | \`a8977adabcee\` |
| Thread | \`01M7XDZAYQBH3ZGNTHQM0BYJQ2\` |

Commands run:

- \`npm test | tee log\` (failed, 3 s)
- \`npm test\` (1 min 1 s)

</details>`,
    );
  });

  it("says once what it closes, and closes nothing else", () => {
    const body = pullRequestBody({
      body: "First.\n\nFixes #12.\n\nAlso closes #13.\n\nCloses #12",
      issue: 12,
      receipt: receipt(),
    });

    expect(body.match(/^(First|Closes|Also).*$/gm)).toEqual([
      "First.",
      "Also cl\u200boses #13.",
      "Closes #12",
    ]);
  });

  it("closes nothing without an issue", () => {
    const body = pullRequestBody({ body: "B", issue: null, receipt: receipt({ commands: [], base: null }) });

    expect(body).not.toContain("Closes");
    expect(body).not.toContain("Commands run");
    expect(body).not.toContain("| Base |");
  });

  it("keeps the receipt out of a block of code that the text left open", () => {
    expect(pullRequestBody({ body: "```\nx", issue: 1, receipt: receipt() })).toContain(
      "```\nx\n```\n\nCloses #1",
    );
  });

  it("shows what made the workspace ready", () => {
    const setup = [
      { command: "npm ci", ok: true },
      { command: "make `db`", ok: false },
    ];

    expect(pullRequestBody({ body: "B", issue: 1, receipt: receipt({ setup }) })).toContain(
      "ready:\n\n- `npm ci`\n- `` make `db` `` (failed)\n\nCommands run:",
    );
    expect(pullRequestBody({ body: "B", issue: 1, receipt: receipt({ setup: [] }) })).not.toContain("ready");
  });

  it("begins with what is unfinished", () => {
    const partial = "The budget of $2.00 is spent. Left: @ada's tests.\n\n```\nx";

    expect(pullRequestBody({ body: "B", issue: 12, partial, receipt: receipt() })).toMatch(
      /^\*\*Unfinished\.\*\*\n\nThe budget of \$2\.00 is spent\. Left: @\u200bada's tests\.\n\n```\nx\n```\n\nB\n\nCloses #12\n/,
    );
  });

  it("keeps a name in its cell, whatever stands before a bar in it", () => {
    const roles = [{ role: "developer", model: "a\\|b|c", prompt: hash("B") }];

    expect(pullRequestBody({ body: "B", issue: 1, receipt: receipt({ roles }) })).toContain(
      "`a\\\u200b\\|b\\|c`, prompt",
    );
  });

  it("tells roles that worked more than once in one row, with how often", () => {
    const developer = { role: "developer", model: "m", prompt: hash("B") };
    const roles = [developer, { role: "reviewer", model: "m", prompt: hash("C") }, developer];

    const body = pullRequestBody({ body: "B", issue: 1, receipt: receipt({ roles }) });

    expect(body.match(/^\| `(developer|reviewer).*$/gm)).toEqual([
      expect.stringMatching(/^\| `developer`, 2 times \| `m`, prompt `B+` \|$/),
      expect.stringMatching(/^\| `reviewer` \| `m`, prompt `C+` \|$/),
    ]);
  });

  it("shows the last of many commands", () => {
    const commands = Array.from({ length: 50 }, (_, index) => ({ command: `c${index}`, ok: true, ms: 1000 }));

    const body = pullRequestBody({ body: "B", issue: 1, receipt: receipt({ commands }) });

    expect(body).toContain("Commands run, the last 30 of 50:\n\n- `c20` (1 s)\n");
  });
});
