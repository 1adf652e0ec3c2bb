import { generateKeyPairSync } from "node:crypto";
import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

let home: UwfHome;
beforeEach(() => {
  home = uwfHome();
});
afterEach(() => home.dispose());

it("listens until it is told to stop", async () => {
  mkdirSync(home.root, { mode: 0o700 });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const env = {
    GITHUB_APP_ID: "1",
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    GITHUB_WEBHOOK_SECRET: "secret-of-the-test",
    GHE_HOST: "127.0.0.1:9",
    PORT: "0",
  };
  const bot = home.start(["start", "--unsafe-no-sandbox"], { env });

  await bot.said("uwf listens on http://127.0.0.1:");
  bot.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await bot.finished;

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^uwf listens on http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(stderr).toContain("Stopping after the turns under way.");
});
