import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/base/log.ts";
import { openForgejo } from "../../../../src/forge/forgejo/open-forgejo.ts";
import { commented } from "../../../fixtures/forgejo/payloads.ts";

describe("openForgejo", () => {
  const opened = (warnings: string[] = []) =>
    openForgejo({
      // Nobody listens there.
      url: "http://127.0.0.1:1",
      token: "t",
      webhookSecret: "hush",
      log: { ...silentLog, warn: (_, message) => warnings.push(message) },
    });

  it("reads events although the server does not say who the bot is, and warns of that", async () => {
    const warnings: string[] = [];
    const { hook } = opened(warnings);

    const event = hook.read({ id: "d", event: "issue_comment", body: JSON.stringify(commented) });

    expect(event).toMatchObject({ kind: "commented", sender: { login: "wes", isBot: false } });
    await expect.poll(() => warnings).toEqual(["Forgejo does not say who the bot is"]);
  });

  it("verifies with the webhook's secret, and nothing without a signature", () => {
    const body = Buffer.from("{}");
    const signature = createHmac("sha256", "hush").update(body).digest("hex");
    const { verify } = opened().hook;

    expect([verify(body, signature), verify(body, `sha256=${signature}`), verify(body, "")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
