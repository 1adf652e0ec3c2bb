import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileFailure } from "../../../src/base/file-failure.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it.each([
  ["/nowhere/at all", "there is no such file"],
  ["/", "it is a directory"],
  ["/dev/null/below", "a file stands where a directory has to be"],
])("says why %s cannot be read", (path, reason) => {
  const error = thrownBy(() => readFileSync(path));

  expect(fileFailure(error, "read")).toBe(reason);
});

it("says what a user may not do", () => {
  const error = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), { code: "EACCES" });

  expect(fileFailure(error, "read")).toBe("this user may not read it");
  expect(fileFailure(error, "write")).toBe("this user may not write it");
});

it("keeps the words of what it does not know", () => {
  expect(fileFailure(new Error("strange"), "read")).toBe("strange");
});
