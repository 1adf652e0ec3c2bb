import { describe, expect, it, vi } from "vitest";
import { AppError } from "../../../../src/base/errors.ts";
import { ask, githubError, statusOf } from "../../../../src/forge/github/github-errors.ts";

const failure = (status: number, headers?: Record<string, string>): Error =>
  Object.assign(new Error("said GitHub"), {
    status,
    ...(headers === undefined ? {} : { response: { headers } }),
  });

describe("githubError", () => {
  it.each([
    [401, { code: "forge-denied", remedy: "fix-config" }],
    [403, { code: "forge-denied", remedy: "fix-config", retryAfterMs: undefined }],
    [404, { code: "forge-missing", remedy: "fix-input" }],
    [408, { code: "forge-unavailable", remedy: "retry" }],
    [409, { code: "forge-refused", remedy: "fix-input" }],
    [410, { code: "forge-missing", remedy: "fix-input" }],
    [422, { code: "forge-refused", remedy: "fix-input" }],
    [429, { code: "forge-unavailable", remedy: "retry", retryAfterMs: 60_000 }],
    [451, { code: "forge-denied", remedy: "fix-config" }],
    [503, { code: "forge-unavailable", remedy: "retry", retryAfterMs: undefined }],
  ])("judges %d by its number", (status, expected) => {
    expect(githubError(failure(status), "read it")).toMatchObject({
      ...expected,
      message: `GitHub: could not read it: said GitHub (status ${status})`,
    });
  });

  it("waits as long as it is told to, by seconds or by date", () => {
    const soon = new Date(Date.now() + 90_000).toUTCString();

    expect(githubError(failure(503, { "retry-after": "30" }), "x")).toMatchObject({ retryAfterMs: 30_000 });
    const byDate = githubError(failure(429, { "retry-after": soon }), "x");
    expect(byDate).toBeInstanceOf(AppError);
    expect((byDate as AppError).retryAfterMs).toBeGreaterThan(80_000);
    expect((byDate as AppError).retryAfterMs).toBeLessThanOrEqual(90_000);
    expect(githubError(failure(429, { "retry-after": "soon" }), "x")).toMatchObject({ retryAfterMs: 60_000 });
  });

  it("knows the limit of requests from a denial by its headers", () => {
    const reset = String(Math.floor(Date.now() / 1000) + 100);
    const limited = githubError(
      failure(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }),
      "x",
    );

    expect(limited).toMatchObject({ code: "forge-unavailable" });
    expect((limited as AppError).retryAfterMs).toBeGreaterThan(90_000);
    expect(githubError(failure(403, { "x-ratelimit-remaining": "12" }), "x")).toMatchObject({
      code: "forge-denied",
    });
  });

  it("knows a clock that is wrong from keys that are: another machine's may be right", () => {
    const ahead = (ms: number) =>
      githubError(failure(401, { date: new Date(Date.now() - ms).toUTCString() }), "x");

    expect(ahead(3_600_000)).toMatchObject({
      code: "clock-wrong",
      remedy: "retry",
      hint: expect.stringMatching(/^Set this machine's clock: it is 360\d seconds ahead\.$/),
    });
    expect(ahead(-600_000)).toMatchObject({ code: "clock-wrong", hint: expect.stringContaining("behind") });
    expect(ahead(5_000)).toMatchObject({ code: "forge-denied", remedy: "fix-config" });
  });

  it("knows a clock that was set between what was signed and what was answered", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const asked = ask("read it", async () => {
      vi.setSystemTime(Date.now() + 3_600_000);
      throw failure(401, { date: new Date().toUTCString() });
    });

    await expect(asked).rejects.toMatchObject({ code: "clock-wrong", remedy: "retry" });
    vi.useRealTimers();
  });

  it("gives back what is no failed request", () => {
    const bug = new TypeError("x is undefined");
    const known = new AppError("known", { code: "other", remedy: "bug" });

    expect(githubError(bug, "x")).toBe(bug);
    expect(githubError(known, "x")).toBe(known);
    expect(statusOf(bug)).toBeUndefined();
    expect(statusOf(failure(404))).toBe(404);
  });
});

describe("ask", () => {
  it("answers, or throws what the failure means", async () => {
    expect(await ask("x", async () => 1)).toBe(1);
    await expect(ask("read it", () => Promise.reject(failure(404)))).rejects.toMatchObject({
      code: "forge-missing",
    });
  });
});
