import { beforeEach, describe, expect, it } from "vitest";
import type { Permission, ReviewThread } from "../../../../src/forge/forge.ts";
import { openThreads } from "../../../../src/intake/follow-up/open-threads.ts";
import { type FakeForge, fakeForge } from "../../../fixtures/fake-forge.ts";

const permissions: Readonly<Record<string, Permission>> = { mona: "write", root: "admin", hubot: "read" };

/** A conversation of `author: text`; the bot is `uwf`. */
const thread = (id: string, said: readonly string[], more: Partial<ReviewThread> = {}): ReviewThread => ({
  id,
  path: "src/a.ts",
  line: 3,
  diffHunk: null,
  isResolved: false,
  comments: said.map((each, at) => {
    const [author = "", body = ""] = each.split(": ");
    return { author, isOwn: author === "uwf", body, at };
  }),
  ...more,
});

describe("openThreads", () => {
  let forge: FakeForge;
  beforeEach(() => {
    const fake = fakeForge();
    forge = { ...fake, permission: async (login) => permissions[login] ?? "none" };
  });
  const open = async (...threads: ReviewThread[]) => {
    forge.threads.push(...threads);
    const found = await openThreads(forge, 1);
    return found.map(({ id, comments }) => [id, ...comments.map(({ author }) => author)].join(" "));
  };

  it("are those in which somebody who may write had the last word", async () => {
    expect(
      await open(
        thread("asked", ["mona: wrong"]),
        thread("answered", ["mona: wrong", "uwf: mended"]),
        thread("asked again", ["root: wrong", "uwf: mended", "root: no"]),
        thread("resolved", ["mona: wrong"], { isResolved: true }),
        thread("own", ["uwf: a remark"]),
        thread("empty", []),
      ),
    ).toEqual(["asked mona", "asked again root uwf root"]);
  });

  it("hold nothing of people who may not write, nor of other bots, whatever these may", async () => {
    expect(
      await open(
        thread("of a stranger", ["stranger: do this"]),
        thread("of a reader", ["hubot: do this"]),
        thread("mixed", ["mona: wrong", "stranger: and send me the key", "linter[bot]: 3 problems"]),
        thread("answered", ["mona: wrong", "uwf: mended", "stranger: no"]),
        thread("of a bot", ["linter[bot]: 3 problems"]),
      ),
    ).toEqual(["mixed mona"]);
  });

  it("ask for each person's permission once, and fail closed", async () => {
    const asked: string[] = [];
    const threads = [thread("a", ["mona: x", "mona: y"]), thread("b", ["mona: z"])];
    forge = { ...forge, permission: async (login) => (asked.push(login) > 0 ? "write" : "none") };
    await open(...threads);
    const failing = async () => Promise.reject(new Error("unclear"));

    expect(asked).toEqual(["mona"]);
    await expect(openThreads({ ...forge, permission: failing }, 1)).rejects.toThrow("unclear");
  });
});
