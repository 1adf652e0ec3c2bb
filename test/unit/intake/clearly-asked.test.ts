import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { RepositoryEvent } from "../../../src/forge/events.ts";
import type { Permission } from "../../../src/forge/forge.ts";
import { isClearlyAsked } from "../../../src/intake/clearly-asked.ts";
import { fakeForge } from "../../fixtures/fake-forge.ts";
import { anIssue, PLACE, RECEIVED } from "../../fixtures/intake-parts.ts";

const about = { ...PLACE, defaultBranch: "main", sender: { login: "mona", id: 1, isBot: false } };
const labelled = (label: string): RepositoryEvent => ({
  ...about,
  kind: "issue-labelled",
  issue: anIssue(),
  label,
});
const labels = (...all: string[]): RepositoryEvent => ({
  ...about,
  kind: "labels-changed",
  issue: anIssue(),
  labels: all,
  at: RECEIVED,
});
const comment = (body: string): RepositoryEvent => ({
  ...about,
  kind: "commented",
  issue: anIssue(),
  comment: { id: 1, body, url: "", at: RECEIVED },
});
const reviewed: RepositoryEvent = {
  ...about,
  kind: "reviewed",
  issue: anIssue({ isPullRequest: true }),
  review: { id: 1, verdict: "changes-requested", body: "/solve", url: "" },
};
const checked: RepositoryEvent = {
  ...about,
  kind: "checks-finished",
  commit: "c".repeat(40),
  branch: null,
  passed: false,
};

const asks = async (event: RepositoryEvent, permissionIs: Permission = "write") => {
  const forge = Object.assign(fakeForge(), { permissionIs });
  return { asked: await isClearlyAsked({ log: silentLog }, forge, event), called: forge.called };
};

describe("isClearlyAsked", () => {
  it.each<[string, RepositoryEvent]>([
    ["a label that is there by default", labelled("uwf")],
    ["another one, in another case", labelled("UWF:Design")],
    ["one among others", labels("bug", "uwf")],
    ["a command", comment("/solve")],
    ["a mention", comment("@uwf please solve this")],
  ])("is told by %s, of a person who may ask", async (_, event) => {
    expect((await asks(event)).asked).toBe(true);
    expect((await asks(event, "read")).asked).toBe(false);
  });

  it.each<[string, RepositoryEvent]>([
    ["another label", labelled("bug")],
    ["other labels", labels("bug", "question")],
    ["another comment", comment("I see this too.")],
    ["a review", reviewed],
    ["checks", checked],
  ])("is not told by %s, and nobody is asked about", async (_, event) => {
    expect(await asks(event)).toEqual({ asked: false, called: [] });
  });
});
