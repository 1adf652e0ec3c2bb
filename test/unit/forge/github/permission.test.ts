import nock from "nock";
import { ProbotOctokit } from "probot";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { permissionOf } from "../../../../src/forge/github/permission.ts";

const octokit = new ProbotOctokit({
  throttle: { enabled: false },
  retry: { enabled: false },
  log: { ...console, warn: () => undefined, error: () => undefined },
});
const place = { octokit, owner: "acme", repo: "app", fullName: "acme/app" };
const answer = (status: number, body: object) =>
  nock("https://api.github.com").get("/repos/acme/app/collaborators/mona/permission").reply(status, body);

// Another file of this process may have restored it.
beforeAll(() => {
  if (!nock.isActive()) nock.activate();
});
afterEach(() => {
  nock.cleanAll();
});
afterAll(() => nock.restore());

describe("permissionOf", () => {
  it.each([
    ["admin", "admin"],
    ["maintain", "write"],
    ["write", "write"],
    ["triage", "read"],
    ["read", "read"],
    ["none", "none"],
  ])("takes %s for %s", async (permission, expected) => {
    answer(200, { permission });

    expect(await permissionOf(place, "mona")).toBe(expected);
  });

  it("takes somebody unknown for nobody", async () => {
    answer(404, { message: "Not Found" });

    expect(await permissionOf(place, "mona")).toBe("none");
  });

  it.each([
    ["an unknown word", 200, { permission: "owner" }, "forge-unclear"],
    ["an empty answer", 200, {}, "forge-unclear"],
    ["a refusal", 403, { message: "no" }, "forge-denied"],
    ["a bad token", 401, { message: "no" }, "forge-denied"],
    ["a fault", 500, { message: "oops" }, "forge-unavailable"],
  ])("fails closed on %s", async (_name, status, body, code) => {
    answer(status, body);

    await expect(permissionOf(place, "mona")).rejects.toMatchObject({
      code,
      message: expect.stringContaining("could not read the permission of mona on acme/app"),
    });
  });

  it("says that nothing is taken for a permission when it is told none, and asks again", async () => {
    answer(200, { permission: "owner" });

    await expect(permissionOf(place, "mona")).rejects.toMatchObject({
      remedy: "retry",
      hint: expect.stringContaining("Nothing is taken for a permission."),
    });
  });
});
