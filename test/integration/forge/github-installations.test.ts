import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Forge } from "../../../src/forge/forge.ts";
import { durations } from "../../fixtures/durations.ts";
import { githubForgeOn } from "../../fixtures/github-forge.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
let rig: GithubRig;
let forge: Forge;

beforeAll(async () => {
  rig = await githubRig({
    repositories: [
      { fullName: REPOSITORY, from: durations.directory },
      { fullName: "acme/other", from: durations.directory },
    ],
    users: [{ login: "mona", permission: "write" }],
  });
  forge = await githubForgeOn(rig, REPOSITORY);
});
afterAll(() => rig.close());

describe("what is taken away", () => {
  it("is seen at the next question: a person's permission", async () => {
    expect(await forge.permission("mona")).toBe("write");

    await rig.setPermission(REPOSITORY, "mona", "read");
    expect(await forge.permission("mona")).toBe("read");
    await rig.setPermission(REPOSITORY, "mona", "none");
    expect(await forge.permission("mona")).toBe("none");
    expect(await (await githubForgeOn(rig, "acme/other")).permission("mona")).toBe("write");

    await rig.setPermission(REPOSITORY, "mona", "maintain");
    expect(await forge.permission("mona")).toBe("write");
  });

  it("denies, while the installation is suspended", async () => {
    await rig.changeInstallation("acme", "suspend");

    await expect(forge.defaultBranch()).rejects.toMatchObject({ code: "forge-denied", remedy: "fix-config" });
    await expect(forge.remote("write")).rejects.toMatchObject({ code: "forge-denied" });

    await rig.changeInstallation("acme", "unsuspend");
    expect(await forge.defaultBranch()).toBe("main");
  });

  it("is missing, where a repository is no longer in the installation", async () => {
    await rig.selectRepository(REPOSITORY, "removed");

    await expect(forge.defaultBranch()).rejects.toMatchObject({ code: "forge-missing", remedy: "fix-input" });
    expect(await (await githubForgeOn(rig, "acme/other")).defaultBranch()).toBe("main");

    await rig.selectRepository(REPOSITORY, "added");
    expect(await forge.defaultBranch()).toBe("main");
  });

  it("is missing, where the App is no longer installed", async () => {
    await rig.changeInstallation("acme", "deleted");

    await expect(forge.defaultBranch()).rejects.toMatchObject({ code: "forge-missing" });
    const opened = await githubForgeOn(rig, REPOSITORY);
    await expect(opened.defaultBranch()).rejects.toMatchObject({ code: "forge-missing" });

    await rig.changeInstallation("acme", "created");
  });
});
