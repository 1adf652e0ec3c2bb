import { describe, expect, it } from "vitest";
import { shownLines } from "../../../../src/forge/github/diff-lines.ts";

const lines = (patch: string) => [...shownLines(patch)];

describe("shownLines", () => {
  it("counts what was added and what stayed, in the new file", () => {
    const patch = "@@ -10,4 +20,4 @@ function f() {\n a\n-b\n+c\n+d\n e\n\\ No newline at end of file";

    expect(lines(patch)).toEqual([20, 21, 22, 23]);
  });

  it("begins anew in each hunk", () => {
    expect(lines("@@ -1 +1 @@\n-a\n+b\n@@ -7,0 +8,2 @@\n+x\n+y")).toEqual([1, 8, 9]);
  });

  it("shows nothing of a file that was removed, or that GitHub shows no patch of", () => {
    expect(lines("@@ -1,2 +0,0 @@\n-a\n-b")).toEqual([]);
    expect(lines("")).toEqual([]);
  });

  it("takes no line of the file for the beginning of a hunk", () => {
    expect(lines("@@ -1,2 +1,3 @@\n a\n+@@ -9 +90 @@\n b")).toEqual([1, 2, 3]);
  });
});
