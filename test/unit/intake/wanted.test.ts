import { describe, expect, it } from "vitest";
import type { ForgeEvent } from "../../../src/forge/events.ts";
import { isAllowed } from "../../../src/intake/allowed.ts";
import { mayBeWanted } from "../../../src/intake/wanted.ts";
import { anIssue, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";

const person = { login: "mona", id: 1, isBot: false };
const bot = { login: "ci[bot]", id: 2, isBot: true };
const base = { ...PLACE, defaultBranch: "main", sender: person };
const closed = anIssue({ state: "closed" });
const comment = (body: string) => ({ id: 1, body, url: "", at: RECEIVED });
const review = { id: 1, verdict: "commented", body: "", url: "" } as const;

const labelled: ForgeEvent = { ...base, kind: "issue-labelled", issue: anIssue(), label: "uwf" };
const changed: ForgeEvent = { ...base, kind: "labels-changed", issue: anIssue(), labels: [], at: RECEIVED };
const commented: ForgeEvent = { ...base, kind: "commented", issue: anIssue(), comment: comment("/solve") };
const reviewed: ForgeEvent = { ...base, kind: "reviewed", issue: anIssue(), review };
const checks: ForgeEvent = { ...base, kind: "checks-finished", commit: "c", branch: null, passed: true };
const installed: ForgeEvent = {
  ...{ forge: "github", installationId: 17, sender: person, kind: "installation-changed" },
  ...{ account: "acme", change: "removed", repositories: null },
};

describe("an event that may be wanted", () => {
  it.each([
    ["a label", labelled, true],
    ["labels", changed, true],
    ["a command", commented, true],
    ["a command on something closed", { ...commented, issue: closed }, true],
    ["a comment that only talks", { ...commented, comment: comment("I like it.\n> /solve") }, false],
    ["a review", reviewed, true],
    ["checks of a bot's", { ...checks, sender: bot }, true],
    ["a removal by a bot", { ...installed, sender: bot }, true],
    ["a label on something closed", { ...labelled, issue: closed }, false],
    ["labels of something closed", { ...changed, issue: closed }, false],
    ["a review of something closed", { ...reviewed, issue: closed }, false],
    ["a bot's label", { ...labelled, sender: bot }, false],
    ["a bot's labels", { ...changed, sender: bot }, false],
    ["a bot's command", { ...commented, sender: bot }, false],
    ["a bot's review", { ...reviewed, sender: bot }, false],
  ] satisfies [string, ForgeEvent, boolean][])("is %s", (_, event, wanted) => {
    expect(mayBeWanted(event)).toBe(wanted);
  });
});

describe("the repositories that the server works in", () => {
  it.each([
    [[], [], "any/one", true],
    [["Acme"], [], "acme/parser", true],
    [["acme"], [], "acme-labs/parser", false],
    [[], ["acme/Parser"], "Acme/parser", true],
    [[], ["acme/parser"], "acme/parser2", false],
    [["other"], ["acme/parser"], "acme/parser", true],
    [["other"], ["acme/parser"], "acme/lexer", false],
  ])(
    "are, with the organisations %j and repositories %j, %s: %s",
    (organisations, repositories, name, allowed) => {
      expect(isAllowed({ organisations, repositories }, name)).toBe(allowed);
    },
  );
});
