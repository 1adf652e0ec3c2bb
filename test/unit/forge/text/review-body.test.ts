import { describe, expect, it } from "vitest";
import { bodyWithComments } from "../../../../src/forge/text/review-body.ts";

describe("bodyWithComments", () => {
  it("adds comments under the body, each with its place", () => {
    const comments = [
      { path: "a.ts", line: 3, body: "One." },
      { path: "b`c.ts", line: 4, body: "Two." },
    ];

    expect(bodyWithComments("Read.", comments)).toBe("Read.\n\n`a.ts:3`: One.\n\n``b`c.ts:4``: Two.");
  });

  it("is the body alone without comments, and the comments alone without a body", () => {
    expect(bodyWithComments("Read.", [])).toBe("Read.");
    expect(bodyWithComments(" ", [{ path: "a.ts", line: 3, body: "One." }])).toBe("`a.ts:3`: One.");
  });
});
