import { expect, it } from "vitest";
import { withDiskFull } from "../../../src/base/disk-full.ts";

it.each(["ENOSPC", "EDQUOT"])("takes %s, however deep, for a failure that passes", (code) => {
  const written = Object.assign(new Error("write"), { code });

  for (const error of [written, new Error("cannot capture", { cause: written })])
    expect(withDiskFull(error)).toMatchObject({ code: "disk-full", remedy: "retry", cause: error });
});

it("leaves every other failure as it is", () => {
  for (const error of [Object.assign(new Error("gone"), { code: "ENOENT" }), new Error("no"), "text", null])
    expect(withDiskFull(error)).toBe(error);
});
