import { describe, expect, it } from "vitest";
import { AppError, bugError, configError, inputError } from "../../../src/base/errors.ts";
import { exitCodeOfThread } from "../../../src/cli/exit-code.ts";
import { describeError } from "../../../src/cli/report-error.ts";

const describeIt = (error: unknown) => describeError(error, { stack: "hidden" });

describe("describeError", () => {
  it.each([
    [inputError("x", "no thread x", "See the list."), 2, "error: no thread x\nhint: See the list.\n"],
    [configError("x", "PORT: bad"), 2, "error: PORT: bad\n"],
    [new AppError("busy", { code: "x", remedy: "retry" }), 1, "error: busy\n"],
    [inputError("x", "a.yaml:1:2: a\na.yaml:3:4: b"), 2, "error: a.yaml:1:2: a\n       a.yaml:3:4: b\n"],
    [inputError("x", "evil \u001b[31mred\u202e"), 2, "error: evil red<U+202E>\n"],
  ])("says what, and whose turn it is: %s", (error, exitCode, text) => {
    expect(describeIt(error)).toEqual({ exitCode, text });
  });

  it.each([bugError("broken"), new TypeError("broken"), "broken"])("calls a bug a bug: %s", (error) => {
    const { text, exitCode } = describeIt(error);

    expect(exitCode).toBe(1);
    expect(text).toBe("error: broken\nhint: This is a bug in uwf; LOG_LEVEL=debug shows where.\n");
  });

  it("takes Ctrl-C at a question for what it is", () => {
    expect(describeIt(new DOMException("Aborted with Ctrl+C", "AbortError"))).toEqual({
      exitCode: 130,
      text: "\nInterrupted.\n",
    });
  });

  it("shows stacks, with their causes, to those who debug", () => {
    const error = new AppError("outer", { code: "x", remedy: "retry", cause: new Error("inner") });

    const { text } = describeError(error, { stack: "shown" });

    expect(text).toMatch(/AppError: outer\n\s+at .*report-error\.test/);
    expect(text).toMatch(/caused by:\nError: inner/);
  });
});

it.each([
  ["completed", 0],
  ["failed", 1],
  ["cancelled", 1],
  ["paused", 3],
  ["suspended", 3],
  ["queued", 130],
] as const)("ends with %s as exit code %d", (status, code) => {
  expect(exitCodeOfThread(status)).toBe(code);
});
