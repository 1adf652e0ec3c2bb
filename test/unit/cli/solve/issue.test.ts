import { describe, expect, it } from "vitest";
import { apiAddress, fetchIssue } from "../../../../src/cli/solve/fetch-issue.ts";
import { readIssue } from "../../../../src/cli/solve/issue.ts";
import { fakeContext } from "../../../fixtures/fake-context.ts";

const address = "https://github.com/owner/name/issues/12";
const answering = (response: Response) => ({ env: {}, fetch: async () => response });

describe("readIssue", () => {
  it("takes the first line as the title", async () => {
    expect(await readIssue("# The parser fails\n\nOn the last line.\n", fakeContext())).toEqual({
      title: "The parser fails",
      body: "On the last line.",
      number: null,
      url: null,
    });
  });

  it.each([
    [`The parser ${"drops the last line ".repeat(40)}`, /^The parser drops .*(the|last|line|drops)…$/],
    ["🎉".repeat(300), /^(🎉){119}…$/u],
    [`${"x".repeat(300)}\nbody`, /^x{119}…$/],
  ])("takes the beginning of a long first line as the title, and keeps all of it", async (text, title) => {
    const issue = await readIssue(text, fakeContext());

    expect(issue.title).toMatch(title);
    expect(issue.body).toBe(text.trim());
  });

  it("reads standard input", async () => {
    expect(await readIssue("@-", fakeContext({ stdin: "Title\nbody" }))).toMatchObject({
      title: "Title",
      body: "body",
    });
  });

  it.each([
    ["", "the issue is empty"],
    [" \n ", "the issue is empty"],
    ["@missing.md", "cannot read missing.md: there is no such file"],
    ["http://github.com/owner/name/issues/1", "is not an https address"],
  ])("refuses %j", async (text, message) => {
    await expect(readIssue(text, fakeContext())).rejects.toThrow(message);
  });
});

describe("fetchIssue", () => {
  it.each([
    [address, {}, "https://api.github.com/repos/owner/name/issues/12"],
    ["https://codeberg.org/o/n/issues/3/", {}, "https://codeberg.org/api/v1/repos/o/n/issues/3"],
    [
      "https://ghe.example/o/n/issues/3",
      { GHE_HOST: "ghe.example" },
      "https://ghe.example/api/v3/repos/o/n/issues/3",
    ],
    ["https://github.com/o/n/pull/3#note", {}, "https://api.github.com/repos/o/n/issues/3"],
  ])("asks the API of the forge that has %s", (given, env, api) => {
    expect(apiAddress(given, env)).toBe(api);
  });

  it.each([
    "https://github.com/owner/name",
    "https://github.com/o/n/issues/x",
    "https://github.com/o/n/issues/1/../../secret",
  ])("refuses %s", (given) => {
    expect(() => apiAddress(given, {})).toThrow("is no address of an issue");
  });

  it("answers title, body and number", async () => {
    const response = Response.json({ title: "T", body: null, number: 12, user: {} });

    expect(await fetchIssue(address, answering(response))).toEqual({
      title: "T",
      body: "",
      number: 12,
      url: address,
    });
  });

  it.each([
    [new Response("", { status: 404 }), "there is no public issue"],
    [new Response("", { status: 503 }), "the forge answered 503"],
    [new Response("<html>"), "the answer is no issue"],
    [Response.json({ title: 1 }), "the answer is no issue"],
    [new Response("x".repeat(1024 * 1024 + 1)), "longer than 1 MiB"],
  ])("says what is wrong with an answer", async (response, message) => {
    await expect(fetchIssue(address, answering(response))).rejects.toThrow(message);
  });

  it("says why a forge cannot be reached", async () => {
    const fetch = () =>
      Promise.reject(new TypeError("fetch failed", { cause: new Error("ENOTFOUND github.com") }));

    await expect(fetchIssue(address, { env: {}, fetch })).rejects.toThrow("ENOTFOUND github.com");
  });
});
