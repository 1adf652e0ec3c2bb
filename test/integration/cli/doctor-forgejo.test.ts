import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { durations } from "../../fixtures/durations.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type ForgejoRig, forgejoRig } from "../../rigs/forgejo.ts";

describe("uwf doctor, with a Forgejo server", () => {
  let home: UwfHome;
  let rig: ForgejoRig;
  beforeEach(async () => {
    home = uwfHome();
    rig = await forgejoRig({
      repositories: [{ fullName: durations.fullName, from: durations.directory }],
      users: [],
      bot: { login: "helper" },
    });
  });
  afterEach(async () => {
    home.dispose();
    await rig.close();
  });

  const line = async (env: Record<string, string>, wanted = "Forgejo") => {
    const { stdout, stderr } = await home.uwf(["doctor", "--json"], { env: { ...rig.env, ...env } });
    const checks = JSON.parse(stdout) as { name: string; state: string }[];
    expect(stdout + stderr).not.toContain(rig.env.FORGEJO_TOKEN);
    return checks.find(({ name }) => name === wanted);
  };

  it("says who the bot is there", async () => {
    expect(await line({})).toMatchObject({
      state: "ok",
      detail: `helper on ${rig.webUrl}, webhooks at http://127.0.0.1:3000/api/forgejo/webhooks`,
    });
  });

  it("asks for no GitHub App beside it", async () => {
    expect(await line({}, "GitHub App")).toMatchObject({
      state: "optional",
      detail: "not configured",
      hint: "`uwf setup --forge github` shows a page that registers one.",
    });
  });

  it("says that the token is not known, and what to check", async () => {
    expect(await line({ FORGEJO_TOKEN: "invented" })).toMatchObject({
      state: "missing",
      detail: expect.stringContaining("401"),
      hint: expect.stringContaining("FORGEJO_TOKEN"),
    });
  });

  it("says that the server cannot be reached", async () => {
    expect(await line({ FORGEJO_URL: "http://127.0.0.1:1" })).toMatchObject({ state: "missing" });
  });
});
