import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseGithubEvent } from "../../../../src/forge/github/github-events.ts";

type Definition = { name: string; examples: Record<string, unknown>[] };

/** What GitHub and its Enterprise Servers really sent, gathered by their users. */
const examplesOf = (server: string): Definition[] => {
  const file = new URL(
    `${server}/index.json`,
    import.meta.resolve("@octokit/webhooks-examples/package.json"),
  );
  return JSON.parse(readFileSync(file, "utf8")) as Definition[];
};
const definitions = examplesOf("api.github.com");
const enterprise = ["ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"];

const read = (name: string, example: object) =>
  parseGithubEvent({ id: "example", event: name, body: JSON.stringify(example) });

describe("GitHub's own examples of webhooks", () => {
  it("are all read or left alone, and none is an error", () => {
    const counts: Record<string, number> = {};
    let left = 0;
    for (const { name, examples } of definitions)
      for (const example of examples) {
        const event = read(name, example);
        if (event === null) left++;
        else {
          const key = `${name}.${String(example.action ?? "")}: ${event.kind}`;
          counts[key] = (counts[key] ?? 0) + 1;
        }
      }

    expect({ counts, left }).toMatchInlineSnapshot(`
      {
        "counts": {
          "check_suite.completed: checks-finished": 4,
          "installation.created: installation-changed": 2,
          "installation.deleted: installation-changed": 2,
          "installation.suspend: installation-changed": 1,
          "installation.unsuspend: installation-changed": 1,
          "installation_repositories.added: installation-changed": 2,
          "installation_repositories.removed: installation-changed": 1,
          "issue_comment.created: commented": 5,
          "issues.labeled: issue-labelled": 2,
          "pull_request.labeled: issue-labelled": 2,
          "pull_request_review.submitted: reviewed": 3,
          "status.: checks-finished": 4,
        },
        "left": 300,
      }
    `);
  });

  it.each(enterprise)("of %s are no error either", (server) => {
    const events = examplesOf(server).flatMap(({ name, examples }) =>
      examples.map((example) => read(name, example)),
    );

    expect(events.filter((event) => event !== null).length).toBeGreaterThan(0);
  });

  it("do not break when accounts have been removed", () => {
    for (const { name, examples } of definitions)
      for (const example of examples) {
        const text = JSON.stringify(example, (key, value) =>
          key === "user" || key === "sender" ? null : value,
        );

        const event = read(name, JSON.parse(text));

        if (event !== null) expect(event.sender).toMatchObject({ login: "ghost", isBot: true });
      }
  });
});
