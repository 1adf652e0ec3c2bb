import { describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { commitIdentity, commitMessage } from "../../../src/workspace/commit-text.ts";
import type { CommitRequest } from "../../../src/workspace/workspace.ts";

const thread = newThreadId(0);
const request: CommitRequest = {
  branch: "uwf/x",
  prefix: "uwf/",
  message: "Fix it",
  author: { name: "Bot", email: "bot@example.org" },
  coAuthors: [],
  at: 1_700_000_000_999,
};

describe("commitMessage", () => {
  it("ends with one block of trailers", () => {
    const ann = { name: "Ann", email: "ann@example.org" };
    const message = commitMessage(
      { ...request, coAuthors: [ann, { ...ann, email: "ANN@example.org" }] },
      thread,
    );

    expect(message).toBe(`Fix it\n\nCo-authored-by: Ann <ann@example.org>\nUwf-Thread: ${thread}\n`);
  });

  it("keeps a name from starting another trailer or address", () => {
    const mallory = { name: "M\nSigned-off-by: Boss <boss@x>", email: "m@x>\nA: b" };

    expect(commitMessage({ ...request, coAuthors: [mallory] }, thread)).toContain(
      "Co-authored-by: M Signed-off-by: Boss boss@x <m@xA:b>\n",
    );
  });

  it("refuses an empty message", () => {
    expect(() => commitMessage({ ...request, message: " \n\0" }, thread)).toThrow(/needs a message/);
  });
});

describe("commitIdentity", () => {
  it("dates author and committer by the request alone", () => {
    expect(commitIdentity({ ...request, author: { name: "<>", email: "" } })).toMatchObject({
      GIT_AUTHOR_NAME: "uwf",
      GIT_COMMITTER_EMAIL: "uwf@localhost",
      GIT_AUTHOR_DATE: "@1700000000 +0000",
      GIT_COMMITTER_DATE: "@1700000000 +0000",
    });
  });
});
