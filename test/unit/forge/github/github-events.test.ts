import { describe, expect, it } from "vitest";
import { parseGithubEvent } from "../../../../src/forge/github/github-events.ts";

const payload = {
  action: "labeled",
  issue: {
    number: 5,
    title: "Wrong",
    body: "It is wrong.",
    html_url: "https://github.com/acme/durations/issues/5",
    state: "open",
    user: { login: "wes", id: 2 },
    labels: [],
  },
  label: { id: 1, name: "uwf", color: "ffffff" },
  repository: { id: 9, full_name: "acme/durations", default_branch: "main", private: true },
  organization: { login: "acme" },
  installation: { id: 7001, node_id: "x" },
  sender: { login: "ada", id: 1, type: "User", site_admin: false },
};

const parse = (body: unknown, event = "issues") =>
  parseGithubEvent({ id: "d-1", event, body: typeof body === "string" ? body : JSON.stringify(body) });

describe("parseGithubEvent", () => {
  it("reads a labelled issue in the bot's own words", () => {
    expect(parse(payload)).toEqual({
      kind: "issue-labelled",
      forge: "github",
      deliveryId: "d-1",
      installationId: 7001,
      repository: "acme/durations",
      defaultBranch: "main",
      sender: { login: "ada", id: 1, isBot: false },
      label: "uwf",
      issue: {
        number: 5,
        title: "Wrong",
        body: "It is wrong.",
        url: "https://github.com/acme/durations/issues/5",
        author: "wes",
        state: "open",
      },
    });
  });

  it("takes what GitHub leaves out", () => {
    const { installation: _, ...rest } = payload;
    const bare = { ...rest, issue: { ...payload.issue, body: null, user: null } };

    expect(parse(bare)).toMatchObject({ installationId: null, issue: { body: "", author: "ghost" } });
  });

  it.each([["Bot"], ["Organization"], [undefined]])("takes a sender of type %s for no person", (type) => {
    expect(parse({ ...payload, sender: { ...payload.sender, type } })).toMatchObject({
      sender: { isBot: true },
    });
  });

  it.each([
    ["issues", { ...payload, action: "unlabeled" }],
    ["issues", { ...payload, action: "opened" }],
    ["pull_request", payload],
    ["ping", { zen: "Design for failure." }],
    ["constructor", {}],
    ["issues", []],
  ])("does not listen to %s with %j", (event, body) => {
    expect(parse(body, event)).toBeNull();
  });

  it("reads an event whose action does not come first", () => {
    const { action, ...rest } = payload;

    expect(parse({ ...rest, action })).toMatchObject({ kind: "issue-labelled" });
    expect(parse(`{ "issue": { "action": "edited" }, ${JSON.stringify(payload).slice(1)}`)).not.toBeNull();
  });

  it("reads no more of an event than it takes to know that nobody listens to it", () => {
    expect(parse('{ "action" : "edited", cut off')).toBeNull();
    expect(parse("cut off", "push")).toBeNull();
  });

  it.each([
    ["no JSON", "{", /no JSON/],
    ["no label", { ...payload, label: undefined }, /label/],
    ["no issue", { ...payload, issue: undefined }, /issue/],
    [
      "a repository without an owner",
      { ...payload, repository: { full_name: "x", default_branch: "m" } },
      /full_name/,
    ],
  ])("says what is wrong with %s", (_, body, problem) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "webhook-malformed" }));
    expect(() => parse(body)).toThrow(problem);
  });
});
