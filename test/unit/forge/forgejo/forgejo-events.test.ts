import { describe, expect, it } from "vitest";
import { parseForgejoEvent } from "../../../../src/forge/forgejo/forgejo-events.ts";
import {
  commented,
  issue,
  labelUpdated,
  pullLabelUpdated,
  pullRequest,
  repository,
  repositoryDeleted,
  reviewed,
  runEnded,
  uwf,
  wes,
} from "../../../fixtures/forgejo/payloads.ts";

const read = (event: string, payload: object, { self = uwf as typeof uwf | null } = {}) =>
  parseForgejoEvent({ id: "d-1", event, body: JSON.stringify(payload, null, 2) }, self);

const about = {
  forge: "forgejo",
  installationId: 17,
  repository: "acme/durations",
  repositoryId: 21,
  defaultBranch: "trunk",
  sender: { login: "wes", id: 7, isBot: false },
};
const anIssue = {
  number: 12,
  title: "Wrong",
  body: "It is wrong.",
  url: issue.html_url,
  author: "wes",
  state: "open",
  isPullRequest: false,
};
const aPull = { ...anIssue, number: 13, url: pullRequest.html_url, isPullRequest: true };

describe("parseForgejoEvent", () => {
  it("reads which labels an issue has after a change", () => {
    expect(read("issues", labelUpdated)).toEqual({
      kind: "labels-changed",
      ...about,
      issue: anIssue,
      labels: ["uwf", "bug"],
      at: Date.parse("2026-11-02T09:00:00Z"),
    });
  });

  it("reads the labels of a pull request", () => {
    expect(read("pull_request", pullLabelUpdated)).toMatchObject({
      kind: "labels-changed",
      issue: aPull,
      labels: ["uwf", "bug"],
    });
  });

  it("takes labels that an issue is opened with for added then", () => {
    expect(read("issues", { ...labelUpdated, action: "opened" })).toMatchObject({
      kind: "labels-changed",
      at: Date.parse("2026-11-02T08:00:00Z"),
    });
  });

  it("reads a comment", () => {
    expect(read("issue_comment", commented)).toEqual({
      kind: "commented",
      ...about,
      issue: anIssue,
      comment: {
        id: 99,
        body: "/solve",
        url: commented.comment.html_url,
        at: Date.parse("2026-11-02T11:00:00Z"),
      },
    });
    expect(read("issue_comment", { ...commented, is_pull: true })).toMatchObject({
      issue: { isPullRequest: true },
    });
  });

  it.each([
    ["pull_request_approved", "approved"],
    ["pull_request_rejected", "changes-requested"],
    ["pull_request_comment", "commented"],
  ])("reads %s as a review that %s", (event, verdict) => {
    expect(read(event, reviewed)).toEqual({
      kind: "reviewed",
      ...about,
      issue: aPull,
      review: { id: null, verdict, body: "Not so.", url: pullRequest.html_url },
    });
  });

  it.each([
    ["action_run_success", true],
    ["action_run_recover", true],
    ["action_run_failure", false],
  ])("reads %s as checks that finished", (event, passed) => {
    expect(read(event, runEnded)).toEqual({
      kind: "checks-finished",
      ...about,
      sender: { ...uwf, isBot: true },
      commit: "c0ffee",
      branch: "uwf/issue-12-wrong",
      passed,
    });
  });

  it("knows no branch of a run for a pull request, and nobody of one that the clock began", () => {
    const run = { ...runEnded.run, prettyref: "#13", trigger_user: null };

    expect(read("action_run_failure", { ...runEnded, run })).toMatchObject({
      branch: null,
      sender: { login: "ghost", isBot: true },
    });
  });

  it("reads that a repository is gone", () => {
    expect(read("repository", repositoryDeleted)).toEqual({
      kind: "installation-changed",
      forge: "forgejo",
      installationId: 17,
      sender: about.sender,
      account: "acme",
      change: "removed",
      repositories: ["acme/durations"],
    });
  });

  it.each<[string, object]>([
    ["issues", { ...labelUpdated, action: "label_cleared" }],
    ["issues", { ...labelUpdated, action: "edited" }],
    ["issues", { ...labelUpdated, issue: { ...issue, labels: [] } }],
    ["issues", { ...labelUpdated, action: "opened", issue: { ...issue, labels: null } }],
    ["issue_comment", { ...commented, action: "edited" }],
    ["issue_comment", { ...commented, action: "deleted" }],
    ["pull_request", { ...pullLabelUpdated, action: "synchronized" }],
    ["repository", { ...repositoryDeleted, action: "created" }],
    ["push", { ref: "refs/heads/main" }],
    ["constructor", {}],
  ])("listens not to %s %o", (event, payload) => {
    expect(read(event, payload)).toBeNull();
  });

  it("reads no further than the action of what nobody listens to", () => {
    const body = '{\n  "action": "edited",\n  "issue": {';

    expect(parseForgejoEvent({ id: "d", event: "issues", body }, null)).toBeNull();
  });

  it.each([
    ["itself, by its id", { ...wes, id: uwf.id }, true],
    ["itself, by its name in any case", { ...wes, login: "UWF" }, true],
    ["somebody who left", { id: -1, login: "Ghost" }, true],
    ["Forgejo's own user for actions", { id: -2, login: "forgejo-actions" }, true],
    ["a login that says so", { id: 8, login: "renovate[bot]" }, true],
    ["a person", wes, false],
  ])("marks %s", (_, sender, isBot) => {
    expect(read("issue_comment", { ...commented, sender })).toMatchObject({ sender: { isBot } });
  });

  it("takes nobody for itself before it knows who it is", () => {
    expect(read("issue_comment", { ...commented, sender: uwf }, { self: null })).toMatchObject({
      sender: { login: "uwf", isBot: false },
    });
  });

  it("does without a body and an author", () => {
    const bare = { ...issue, body: null, user: null };

    expect(read("issues", { ...labelUpdated, issue: bare })).toMatchObject({
      issue: { body: "", author: "ghost" },
    });
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]x"],
    ["another shape", JSON.stringify({ action: "label_updated", issue: {}, repository })],
    [
      "a repository that is none",
      JSON.stringify({ ...labelUpdated, repository: { ...repository, full_name: "x" } }),
    ],
  ])("refuses %s, and says what is wrong", (_, body) => {
    expect(() => parseForgejoEvent({ id: "d-1", event: "issues", body }, null)).toThrow(
      expect.objectContaining({
        code: "webhook-malformed",
        remedy: "fix-input",
        message: expect.stringContaining("d-1 (issues)"),
      }),
    );
  });
});
