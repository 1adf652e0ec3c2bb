import { pino } from "pino";
import { expect, it } from "vitest";
import { createServer, type ServerParts } from "../../../src/server/server.ts";

const receiver = { verify: () => true, receive: async () => undefined };
const first = async (parts: Partial<ServerParts>) => {
  const server = await createServer({ log: pino({ level: "silent" }), apiToken: "a-secret-token", ...parts });
  const response = await server.inject({ url: "/" });
  await server.close();
  return response;
};

it("says what this is and which forges it serves, with links to health, and no secret", async () => {
  const { statusCode, headers, body } = await first({ receivers: { github: receiver, forgejo: receiver } });

  expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(body).toContain("It serves GitHub and Forgejo.");
  expect(body).toContain('<a href="/healthz">');
  expect(body).toContain('<a href="/readyz">');
  expect(body).not.toContain("a-secret-token");
  expect(body).not.toMatch(/<script|https?:/);
});

it("says that a worker takes no webhooks", async () => {
  expect((await first({})).body).toContain("This process takes no webhooks");
});

it("may not be framed, and loads nothing", async () => {
  const { headers } = await first({});

  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
  expect(headers["x-content-type-options"]).toBe("nosniff");
});
