import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { type ForgejoRig, forgejoRig } from "../../rigs/forgejo.ts";

const from = fileURLToPath(new URL("../../fixtures/repositories/durations", import.meta.url));

let rig: ForgejoRig;
beforeAll(async () => {
  rig = await forgejoRig({ repositories: [{ fullName: "acme/durations", from }], users: [] });
});
afterAll(() => rig.close());

let home: UwfHome;
beforeEach(() => {
  home = uwfHome();
});
afterEach(() => home.dispose());

const env = () => readFileSync(join(home.root, ".env"), "utf8");
const setUp = (token: string, more: readonly string[] = []) =>
  home.uwf(["setup", "--forge", "forgejo", "--forgejo-url", `${rig.webUrl}/`, ...more], {
    env: { FORGEJO_TOKEN: token },
  });

describe("uwf setup --forge forgejo", () => {
  it("keeps address, token and a new secret once the token was seen to work, and names the webhook", async () => {
    const { exitCode, stdout } = await setUp(rig.env.FORGEJO_TOKEN, ["--model", "m"]);

    expect(exitCode).toBe(0);
    const { FORGEJO_WEBHOOK_SECRET, ...others } = parseEnv(env());
    expect(others).toEqual({ FORGEJO_URL: rig.webUrl, FORGEJO_TOKEN: rig.env.FORGEJO_TOKEN });
    expect(FORGEJO_WEBHOOK_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect((statSync(join(home.root, ".env")).mode & 0o777).toString(8)).toBe("600");
    expect(stdout).toContain(`the token works: it is ${rig.botLogin}'s on ${rig.webUrl}`);
    expect(stdout).toContain("https://<this server's address>/api/forgejo/webhooks");
    expect(stdout).not.toContain(rig.env.FORGEJO_TOKEN);
    expect(stdout).not.toContain(FORGEJO_WEBHOOK_SECRET);
    expect(stdout.indexOf("\nNext:")).toBeGreaterThan(stdout.indexOf("Create a webhook on Forgejo"));
  });

  it("leaves a config.yaml as it is, and a secret that webhooks may use already", async () => {
    mkdirSync(home.root, { mode: 0o700 });
    writeFileSync(join(home.root, "config.yaml"), "limits: { budgetUsd: 2 }\n");
    writeFileSync(join(home.root, ".env"), "# mine\nFORGEJO_WEBHOOK_SECRET=old-secret\n");

    const { exitCode } = await setUp(rig.env.FORGEJO_TOKEN);

    expect(exitCode).toBe(0);
    expect(readFileSync(join(home.root, "config.yaml"), "utf8")).toBe("limits: { budgetUsd: 2 }\n");
    expect(env()).toMatch(
      /^# mine\nFORGEJO_URL=[^\n]+\nFORGEJO_TOKEN=[^\n]+\nFORGEJO_WEBHOOK_SECRET=old-secret\n$/,
    );
  });

  it("keeps nothing of a token that Forgejo does not know", async () => {
    const { exitCode, stderr } = await setUp("not-a-token", ["--model", "m"]);

    expect([exitCode, stderr.includes("Forgejo")]).toEqual([2, true]);
    expect(env).toThrow("ENOENT");
  });

  it.each([
    [["--forge", "gitlab"], {}, 'option --forge must be github, forgejo, none, not "gitlab"'],
    [["--model", "m", "--forge", "forgejo"], { FORGEJO_TOKEN: "t" }, "no Forgejo is named"],
    [["--model", "m", "--forge", "forgejo", "--forgejo-url", "https://f"], {}, "FORGEJO_TOKEN is not set"],
    [
      ["--model", "m", "--forge", "forgejo", "--forgejo-url", "ftp://f"],
      { FORGEJO_TOKEN: "t" },
      "FORGEJO_URL: must be the server's http or https address",
    ],
  ])("says what is missing or wrong: %j", async (args, given, problem) => {
    const { exitCode, stderr } = await home.uwf(["setup", ...args], { env: given });

    expect([exitCode, stderr.includes(problem) ? problem : stderr]).toEqual([2, problem]);
  });
});

it("does not set up a GitHub App beside one that is there", async () => {
  mkdirSync(home.root, { mode: 0o700 });
  writeFileSync(join(home.root, "config.yaml"), "limits: { budgetUsd: 2 }\n");
  const { generateKeyPairSync } = await import("node:crypto");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

  const { exitCode, stderr } = await home.uwf(["setup", "--forge", "github"], {
    env: { GITHUB_APP_ID: "7", GITHUB_APP_PRIVATE_KEY: key, GITHUB_WEBHOOK_SECRET: "s" },
  });

  expect([exitCode, stderr.includes("the GitHub App 7 is set up already")]).toEqual([2, true]);
});
