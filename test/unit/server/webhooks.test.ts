import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { ForgeKind } from "../../../src/forge/events.ts";
import { signatureChecker } from "../../../src/forge/webhook-signature.ts";
import { createServer } from "../../../src/server/server.ts";

const SECRETS = { github: "one", forgejo: "other" } as const;
const hex = (forge: ForgeKind, body: string) =>
  createHmac("sha256", SECRETS[forge]).update(body).digest("hex");

/** As Forgejo sends: its own headers, and those of the forges that it stands in for. */
const forgejoHeaders = (body: string, signature = hex("forgejo", body)): Record<string, string> => ({
  "content-type": "application/json",
  "x-forgejo-delivery": "f-1",
  "x-forgejo-event": "issues",
  "x-forgejo-signature": signature,
  "x-gitea-event": "issues",
  "x-gogs-event": "issues",
  "x-github-delivery": "f-1",
  "x-github-event": "issues",
  "x-hub-signature-256": `sha256=${signature}`,
});

describe("webhooks of two forges", () => {
  let server: FastifyInstance | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const serving = async (...forges: readonly ForgeKind[]) => {
    const received: { forge: string; id: string; event: string; body: string }[] = [];
    const observed: string[] = [];
    const receiverOf = (forge: ForgeKind) => ({
      verify: signatureChecker(SECRETS[forge], { prefix: forge === "github" ? "sha256=" : "" }),
      receive: async (delivery: { id: string; event: string; body: string }) => {
        received.push({ forge, ...delivery });
      },
    });
    const made = await createServer({
      log: pino({ level: "silent" }),
      receivers: Object.fromEntries(forges.map((forge) => [forge, receiverOf(forge)])),
      metrics: {
        webhook: ({ forge, outcome }) => observed.push(`${forge} ${outcome}`),
        exposition: async () => ({ contentType: "text/plain", text: "" }),
      },
    });
    server = made;
    const post = async (forge: ForgeKind, body: string, headers: Record<string, string>) =>
      (await made.inject({ method: "POST", url: `/api/${forge}/webhooks`, payload: body, headers }))
        .statusCode;
    return { received, observed, post };
  };

  it("takes a delivery of Forgejo's by its own headers", async () => {
    const { received, observed, post } = await serving("github", "forgejo");

    expect(await post("forgejo", "{ }", forgejoHeaders("{ }"))).toBe(202);

    expect(received).toEqual([{ forge: "forgejo", id: "f-1", event: "issues", body: "{ }" }]);
    expect(observed).toEqual(["forgejo accepted"]);
  });

  it.each([
    ["an empty signature, as without a secret", "", 400],
    ["GitHub's form of a signature", `sha256=${hex("forgejo", "{}")}`, 400],
    ["the signature of something else", hex("forgejo", "{ }"), 401],
    ["the other forge's secret", hex("github", "{}"), 401],
  ])("refuses %s", async (_, signature, status) => {
    const { received, post } = await serving("github", "forgejo");

    expect(await post("forgejo", "{}", forgejoHeaders("{}", signature))).toBe(status);

    expect(received).toEqual([]);
  });

  it("takes no delivery of Forgejo's for one of GitHub's, whatever headers it brings", async () => {
    const { received, post } = await serving("github", "forgejo");

    expect(await post("github", "{}", forgejoHeaders("{}"))).toBe(401);

    expect(received).toEqual([]);
  });

  it("has no route for a forge that is not configured", async () => {
    const { post } = await serving("github");

    expect(await post("forgejo", "{}", forgejoHeaders("{}"))).toBe(404);
  });
});
