import { describe, expect, it } from "vitest";
import { plainStyle } from "../../../../src/cli/style.ts";
import { pullRequestText, resultCommands } from "../../../../src/cli/thread/published.ts";
import type { Source } from "../../../../src/store/payload.ts";
import type { History } from "../../../../src/store/store.ts";
import { stepFixture, threadFixture } from "../../../fixtures/nodes.ts";

const source: Source = {
  forge: "local",
  repository: "/srv/it's here",
  defaultBranch: "main",
  issue: { number: null, title: "t", url: null },
  requester: null,
  installationId: null,
};
const published = {
  branch: "uwf/x",
  commit: "0123456789",
  url: null,
  title: "Title\u001b[31m",
  body: "Body\n\nend",
};

const historyOf = (from: Source | null, result: typeof published | null): History => {
  const fixture = threadFixture({ source: from });
  const { step } = stepFixture(fixture, null, {}, { published: result });
  return {
    start: fixture.start.payload,
    steps: [{ hash: step.hash, step: step.payload, output: {} }],
    shared: 0,
    end: null,
  };
};

describe("resultCommands", () => {
  it("names the branch in commands that can be pasted", () => {
    expect(
      resultCommands({ history: historyOf(source, published), left: null }).map(([command]) => command),
    ).toEqual([
      "git -C '/srv/it'\\''s here' log --stat main..uwf/x",
      "git -C '/srv/it'\\''s here' diff main...uwf/x",
    ]);
  });

  it("fetches from a repository that is elsewhere", () => {
    const elsewhere = { ...source, repository: "https://example.com/a.git" };

    expect(resultCommands({ history: historyOf(elsewhere, published), left: null })).toEqual([
      ["git fetch https://example.com/a.git uwf/x", "fetch the result"],
    ]);
  });

  it("has nothing to show before anything is published", () => {
    expect(resultCommands({ history: historyOf(source, null), left: null })).toEqual([]);
    expect(pullRequestText(historyOf(source, null), plainStyle)).toBe("");
  });
});

it("shows the pull request's text, made harmless", () => {
  expect(pullRequestText(historyOf(source, published), plainStyle)).toBe("│ Title\n│\n│ Body\n│\n│ end\n\n");
});
