import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { parseForgejoEvent } from "../../../src/forge/forgejo/forgejo-events.ts";
import { parseGithubEvent } from "../../../src/forge/github/github-events.ts";
import { mayBeWanted } from "../../../src/intake/wanted.ts";
import * as forgejo from "../../fixtures/forgejo/payloads.ts";

type Sent = { event: string; payload: object };

const github = (
  JSON.parse(
    readFileSync(
      new URL("api.github.com/index.json", import.meta.resolve("@octokit/webhooks-examples/package.json")),
      "utf8",
    ),
  ) as { name: string; examples: object[] }[]
)
  .filter(({ name }) => /^(issues|issue_comment|pull_request|check|status|installation)/.test(name))
  .flatMap(({ name, examples }) => examples.map((payload): Sent => ({ event: name, payload })));

const events: Readonly<Record<string, string>> = {
  labelUpdated: "issues",
  pullLabelUpdated: "pull_request",
  commented: "issue_comment",
  reviewed: "pull_request_approved",
  runEnded: "action_run_failure",
  repositoryDeleted: "repository",
};
const forgejoSent = Object.entries(forgejo).flatMap(([name, payload]): Sent[] =>
  events[name] === undefined ? [] : [{ event: events[name], payload: payload as object }],
);

/** The ways to every value within. */
const waysIn = (value: unknown, way: readonly string[] = []): string[][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...way, key], ...waysIn(inner, [...way, key])])
    : [];

const changed = (payload: object, way: readonly string[], value: unknown): object => {
  const copy = structuredClone(payload);
  const last = way.at(-1) ?? "";
  const holder = way
    .slice(0, -1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], copy);
  if (value === undefined) delete (holder as Record<string, unknown>)[last];
  else (holder as Record<string, unknown>)[last] = value;
  return copy;
};

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    "",
    "\0",
    "__proto__",
    "../../x",
    "a/b/c",
    -1,
    1e308,
    0.5,
    true,
    [],
    {},
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: "grapheme", maxLength: 50 }),
);
const mutated = (sent: readonly Sent[]) =>
  fc.constantFrom(...sent).chain(({ event, payload }) =>
    fc.record({
      event: fc.constant(event),
      payload: fc
        .array(fc.tuple(fc.constantFrom(...waysIn(payload)), strange), { minLength: 1, maxLength: 3 })
        .map((changes) =>
          changes.reduce((body, [way, value]) => {
            try {
              return changed(body, way, value);
            } catch {
              // An earlier change has taken away what this one is in.
              return body;
            }
          }, payload),
        ),
    }),
  );

/** An event that the intake can take, none, or the one error that says that the delivery cannot be read. */
const isTold = (read: () => ReturnType<typeof parseGithubEvent>): void => {
  try {
    const event = read();
    if (event === null) return;
    expect(event.sender.login).toBeTypeOf("string");
    expect(mayBeWanted(JSON.parse(JSON.stringify(event)))).toBeTypeOf("boolean");
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "webhook-malformed", remedy: "fix-input" });
  }
};

it("reads GitHub's payloads with anything in them, or says that they cannot be read", () => {
  fc.assert(
    fc.property(mutated(github), ({ event, payload }) =>
      isTold(() => parseGithubEvent({ id: "d", event, body: JSON.stringify(payload) })),
    ),
    { numRuns: 300 },
  );
});

it("reads Forgejo's payloads with anything in them, or says that they cannot be read", () => {
  expect(forgejoSent).toHaveLength(Object.keys(events).length);
  fc.assert(
    fc.property(mutated(forgejoSent), ({ event, payload }) =>
      isTold(() =>
        parseForgejoEvent({ id: "d", event, body: JSON.stringify(payload) }, { id: 3, login: "uwf" }),
      ),
    ),
    { numRuns: 500 },
  );
});

it("reads bodies that are no payloads at all, or says that they cannot be read", () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom("", "null", "[]", '{"action":"labeled"', '{"__proto__":{}}'),
  );
  const event = fc.constantFrom(
    "issues",
    "issue_comment",
    "pull_request_review",
    "status",
    "constructor",
    "__proto__",
  );

  fc.assert(
    fc.property(event, body, (name, text) => {
      isTold(() => parseGithubEvent({ id: "d", event: name, body: text }));
      isTold(() => parseForgejoEvent({ id: "d", event: name, body: text }, null));
    }),
    { numRuns: 300 },
  );
});
