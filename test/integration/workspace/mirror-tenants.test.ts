import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newThreadId } from "../../../src/base/ids.ts";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

let rig: WorkspaceRig;
/** Tokens that were given out, and those of them that were not taken back. */
let given: number;
let left: number;
beforeEach(() => {
  given = 0;
  left = 0;
  // Whatever it is called, and whoever asks: the same bytes come from the same address.
  const remoteFor = async () => {
    given++;
    left++;
    return {
      url: `file://${rig.source.repository}`,
      token: null,
      giveUp: async () => {
        left--;
      },
    };
  };
  rig = workspaceRig({ "a.txt": "a\n" }, { remoteFor });
});
afterEach(() => rig.dispose());

const signal = new AbortController().signal;
const tip = async () => rig.source.git("rev-parse", "HEAD").trim();
const fetched = async (repository: string) => {
  await rig.workspaces.fetch({ repository }, { branch: null, signal });
  return readdirSync(join(rig.root, "mirrors")).filter((name) => name.endsWith(".git"));
};

describe("the token for a repository", () => {
  it("is taken back when the mirror is up to date, whether that could be done or not", async () => {
    await fetched("github:17:acme/sums");
    const wanted = { branch: "missing", signal };

    await expect(rig.workspaces.fetch({ repository: "github:17:acme/sums" }, wanted)).rejects.toMatchObject({
      code: "branch-missing",
    });
    await rig.workspaces.file("github:17:acme/sums", { commit: await tip(), path: "a.txt" });

    expect({ given, left }).toEqual({ given: 3, left: 0 });
  });

  it("is taken back when a workspace is open, and when it is pushed", async () => {
    const repository = "github:17:acme/sums";
    const thread = newThreadId();
    const workspace = await rig.workspaces.open(thread, { repository, base: await tip(), captured: null });
    await workspace.files.write("a.txt", Buffer.from("b\n"));
    const captured = await rig.capture(thread);

    await rig.push(thread, captured);

    expect({ given, left }).toEqual({ given: 2, left: 0 });
  });
});

describe("the copy of a repository on a forge", () => {
  it.each([
    ["another installation of the same forge", "github:17:acme/sums#9", "github:18:acme/sums#9"],
    ["another forge", "github:17:acme/sums#9", "forgejo:17:acme/sums#9"],
    ["another repository that got its name", "github:17:acme/sums#9", "github:17:acme/sums#10"],
    ["whoever does not know its id", "github:17:acme/sums#9", "github:17:acme/sums"],
    ["another installation, without ids", "github:17:acme/sums", "github:18:acme/sums"],
  ])("is not given to %s", async (_, one, other) => {
    expect(await fetched(one)).toHaveLength(1);

    expect(await fetched(other)).toHaveLength(2);
  });

  it("stays its own when it is renamed", async () => {
    expect(await fetched("github:17:acme/sums#9")).toEqual(await fetched("github:17:acme/totals#9"));
  });

  it("has used checkouts of its own", async () => {
    const base = await tip();
    const open = async (repository: string) => {
      const thread = newThreadId();
      await rig.workspaces.open(thread, { repository, base, captured: null });
      return thread;
    };
    await rig.workspaces.close(await open("github:17:acme/sums#9"));
    const pools = () =>
      readdirSync(join(rig.root, "workspaces/pool")).map((name) =>
        readdirSync(join(rig.root, "workspaces/pool", name)),
      );
    expect(pools()).toEqual([[expect.any(String)]]);

    await open("github:18:acme/sums#9");
    expect(pools()).toEqual([[expect.any(String)]]);

    await open("github:17:acme/sums#9");
    expect(pools()).toEqual([[]]);
  });
});
