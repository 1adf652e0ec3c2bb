import { describe, expect, it } from "vitest";
import { isDraftTitle, plainTitle, titleOf } from "../../../../src/forge/forgejo/draft-title.ts";

describe("a draft's title", () => {
  it.each([
    ["WIP: Add", true, "Add"],
    ["wip:Add", true, "Add"],
    ["[WIP] Add", true, "Add"],
    [" WIP: [wip] WIP: Add", true, "Add"],
    ["Add WIP: later", false, "Add WIP: later"],
    ["WIPE the disk", false, "WIPE the disk"],
  ])("%s: %s", (title, isDraft, plain) => {
    expect([isDraftTitle(title), plainTitle(title)]).toEqual([isDraft, plain]);
    expect([titleOf(title, { draft: true }), titleOf(title, { draft: false })]).toEqual([
      `WIP: ${plain}`,
      plain,
    ]);
  });
});
