import { createHmac } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { forgeForm, setupBrowser } from "../../fixtures/setup-browser.ts";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";
import { freePort } from "../../rigs/free-port.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const from = fileURLToPath(new URL("../../fixtures/repositories/durations", import.meta.url));

let rig: GithubRig;
beforeAll(async () => {
  rig = await githubRig({ repositories: [{ fullName: "acme/durations", from }], users: [] });
});
afterAll(() => rig.close());

let home: UwfHome;
beforeEach(() => {
  home = uwfHome();
});
afterEach(() => home.dispose());

const environment = async () => {
  const { GHE_HOST, GHE_PROTOCOL } = rig.env;
  return { GHE_HOST, GHE_PROTOCOL, PORT: String(await freePort()) };
};

it("sets a server without a forge up by its page, and goes on to serve", async () => {
  mkdirSync(home.root, { mode: 0o700 });
  writeFileSync(join(home.root, ".env"), "# mine\nOPENAI_API_KEY=k\n");
  const env = await environment();
  const bot = home.start(["start", "--unsafe-no-sandbox"], { env });
  const link = await bot.said(/http:\/\/127\.0\.0\.1:\d+\/setup\?token=[\w-]+/);
  const url = new URL(link).origin;
  const browser = setupBrowser();

  await browser.get(link);
  const fields = { organisation: "acme", publicUrl: "https://uwf.example.org", name: "our-uwf" };
  const page = await browser.fill(`${url}/setup`, fields);
  const registered = await browser.send(forgeForm(page));
  const done = await browser.get(registered.location);
  await bot.said(`uwf listens on ${url}`);
  const answer = await deliver(url);
  const gone = await fetch(`${url}/setup`);
  bot.kill("SIGTERM");
  const { exitCode, stderr } = await bot.finished;

  expect(done.text).toContain("uwf is set up");
  expect([answer, gone.status]).toEqual([202, 404]);
  expect(exitCode).toBe(0);
  const path = join(home.root, ".env");
  expect(readFileSync(path, "utf8")).toMatch(
    /^# mine\nOPENAI_API_KEY=k\nGITHUB_APP_ID=4242\nGITHUB_APP_PRIVATE_KEY="-----BEGIN [^\n]+\nGITHUB_WEBHOOK_SECRET=\w+\n$/,
  );
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  expect(stderr).not.toContain(rig.env.GITHUB_WEBHOOK_SECRET);
  expect(stderr).not.toContain(new URL(link).searchParams.get("token"));
});

/** A delivery that the App's secret signs. */
const deliver = async (url: string): Promise<number> => {
  const body = '{"zen":"Keep it logically awesome."}';
  const signature = createHmac("sha256", rig.env.GITHUB_WEBHOOK_SECRET).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-github-event": "ping",
    "x-github-delivery": "1d2c3b4a",
    "x-hub-signature-256": `sha256=${signature}`,
  };
  return (await fetch(`${url}/api/github/webhooks`, { method: "POST", headers, body })).status;
};

it("registers the App from uwf setup as well, and ends then", async () => {
  mkdirSync(home.root, { mode: 0o700 });
  writeFileSync(join(home.root, "config.yaml"), "limits: { budgetUsd: 2 }\n");
  const setup = home.start(["setup", "--forge", "github"], { env: await environment() });
  const link = await setup.said(/http:\/\/127\.0\.0\.1:\d+\/setup\?token=[\w-]+/);
  const browser = setupBrowser();

  await browser.get(link);
  const fields = { organisation: "", publicUrl: "https://uwf.example.org", name: "" };
  const page = await browser.fill(`${new URL(link).origin}/setup`, fields);
  await browser.get((await browser.send(forgeForm(page))).location);
  const { exitCode, stdout } = await setup.finished;

  expect(exitCode).toBe(0);
  expect(stdout).toContain("GitHub is set up. `uwf start` serves it.");
  expect(rig.registered.at(-1)).toMatchObject({ owner: null, name: "uwf" });
  expect(readFileSync(join(home.root, ".env"), "utf8")).toContain("GITHUB_APP_ID=4242\n");
});

it("ends at once when nobody sets it up", async () => {
  const bot = home.start(["start", "--unsafe-no-sandbox"], { env: await environment() });

  await bot.said("To set up GitHub, open");
  bot.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await bot.finished;

  expect(exitCode).toBe(0);
  expect(stdout).not.toContain("uwf listens on");
  expect(stderr).not.toContain("{");
});
