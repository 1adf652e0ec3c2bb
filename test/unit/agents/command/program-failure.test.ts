import { describe, expect, it } from "vitest";
import { failureOf, startFailure } from "../../../../src/agents/command/program-failure.ts";

const result = { exitCode: 0, timedOut: false, output: "yes", omittedBytes: 0, ms: 1 };
const asked = { program: "mine (my-agent)", errors: "", timeoutMs: 1_800_000 };

describe("failureOf", () => {
  it("is null for an answer", () => {
    expect(failureOf(result, asked)).toBeNull();
  });

  it.each([
    [{ timedOut: true, exitCode: null }, "took longer than its 30 minutes and was ended"],
    [{ exitCode: 1 }, "failed with exit code 1"],
    [{ exitCode: 143 }, "was ended by SIGTERM"],
    [{ output: " \n" }, "ended well without an answer on its standard output"],
    [{ malformed: true as const }, "answered with bytes that are no UTF-8"],
  ])("says what is wrong with %o", (change, text) => {
    expect(failureOf({ ...result, ...change }, asked)?.message).toBe(`The program mine (my-agent) ${text}.`);
  });

  it("repeats the last lines of the standard error, not more than fit a message", () => {
    const errors = `first\n${"x".repeat(1_000)}\n\nlast but one\n  last\n`;

    const { message = "" } = failureOf({ ...result, exitCode: 1 }, { ...asked, errors }) ?? {};

    expect(message).toContain("It said last: …x");
    expect(message).not.toContain("first");
    expect(message.endsWith("x / last but one / last")).toBe(true);
    expect(message.length).toBeLessThan(500);
  });

  it("repeats, of an error that Node ended with, the line that names it", () => {
    const errors = `node:internal/modules/package_json_reader:331
    throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'uwf' imported from /opt/agents/sum-up.ts
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:331:9)
    at packageResolve (node:internal/modules/esm/resolve:784:25) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v24.21.0
`;

    expect(failureOf({ ...result, exitCode: 1 }, { ...asked, errors })?.message).toBe(
      "The program mine (my-agent) failed with exit code 1. It said last: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'uwf' imported from /opt/agents/sum-up.ts",
    );
  });
});

describe("startFailure", () => {
  it.each([
    ["ENOENT", "program-missing", "fix-config"],
    ["EACCES", "program-not-executable", "fix-config"],
    ["E2BIG", "program-arguments", "fix-input"],
  ])("takes %s for a matter of the program", (code, expected, remedy) => {
    expect(startFailure({ code }, asked)).toMatchObject({ code: expected, remedy });
  });

  it("says that a change of the configuration is none for the thread", () => {
    const pinned = /A thread keeps its agents as they were/;

    expect(startFailure({ code: "ENOENT" }, asked)?.hint).toMatch(pinned);
    expect(failureOf({ ...result, timedOut: true }, asked)?.hint).toMatch(pinned);
  });

  it("leaves everything else alone", () => {
    expect(startFailure(new Error("the machine is tired"), asked)).toBeNull();
  });
});
