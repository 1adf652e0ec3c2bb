import { describe, expect, it } from "vitest";
import { z } from "zod";
import { userIdOf } from "../../../src/designer/user-id.ts";

describe("userIdOf", () => {
  it("is a UUID, the same for the same person and another for another", () => {
    const ids = ["api", "github/ada", "github/adb", "forgejo/ada"].map(userIdOf);

    for (const id of ids) expect(z.uuid().safeParse(id).success).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(userIdOf("github/ada")).toBe(ids[1]);
  });
});
