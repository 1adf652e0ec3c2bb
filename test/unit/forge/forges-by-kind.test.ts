import { describe, expect, it } from "vitest";
import type { Forge } from "../../../src/forge/forge.ts";
import { forgesByKind, locateByKind, noForge } from "../../../src/forge/forges-by-kind.ts";
import type { OpenedForge } from "../../../src/forge/hook.ts";

const opened = (kind: "github" | "forgejo"): OpenedForge => ({
  forges: { open: async ({ repository }) => ({ kind, repository }) as Forge },
  locate: async (repository) => ({ forge: kind, repository, installationId: 1 }),
  hook: { verify: () => false, read: () => null },
});
const place = (forge: "github" | "forgejo") => ({ forge, repository: "acme/x", installationId: 1 });

describe("forges", () => {
  it("open each place where it is", async () => {
    const forges = forgesByKind({ github: opened("github"), forgejo: opened("forgejo") });

    expect(await forges.open(place("forgejo"))).toMatchObject({ kind: "forgejo", repository: "acme/x" });
    expect(await forges.open(place("github"))).toMatchObject({ kind: "github" });
  });

  it("find each repository where it is", async () => {
    const locate = locateByKind({ forgejo: opened("forgejo") });

    expect(await locate("forgejo", "acme/x")).toMatchObject({ forge: "forgejo", repository: "acme/x" });
    await expect(locate("github", "acme/x")).rejects.toMatchObject({ code: "forge-unconfigured" });
  });

  it("say what is missing for a place on the other one", async () => {
    await expect(forgesByKind({ github: opened("github") }).open(place("forgejo"))).rejects.toMatchObject({
      code: "forge-unconfigured",
      remedy: "fix-config",
      message: expect.stringContaining("acme/x is on Forgejo"),
      hint: expect.stringContaining("FORGEJO_TOKEN"),
    });
  });

  it("are missing by both names when there is none", () => {
    expect(noForge()).toMatchObject({
      code: "forge-unconfigured",
      remedy: "fix-config",
      message: expect.stringMatching(/GITHUB_APP_ID.*FORGEJO_URL/),
    });
  });
});
