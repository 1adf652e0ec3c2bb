import { readdirSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { hostileAddresses, hostileServers } from "./hostile/servers.ts";

const MEGABYTE = 1024 ** 2;
const LIMITS = { packBytes: 8 * MEGABYTE, objectBytes: 32 * MEGABYTE, askMs: 3_000, fetchMs: 6_000 };

const listening = async (listener: RequestListener): Promise<{ server: Server; url: string }> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};
const ended = async (server: Server | undefined): Promise<void> => {
  if (server === undefined) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
};

describe("a server that somebody made to do harm", () => {
  let rig: WorkspaceRig;
  let other: { server: Server; url: string };
  let server: Server | undefined;
  const asked: string[] = [];
  let token: string | null = null;
  beforeAll(async () => {
    const remoteFor = async (url: string) => ({ url, token });
    rig = workspaceRig({ "a.txt": "a\n" }, { limits: LIMITS, remoteFor });
    other = await listening((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? ""}`);
      response.writeHead(404).end();
    });
  });
  afterEach(() => ended(server));
  afterAll(async () => {
    await ended(other.server);
    await rig.dispose();
  });

  const fetch = (repository: string) =>
    rig.workspaces.fetch({ repository }, { branch: null, signal: new AbortController().signal });
  const leftOver = (): string[] =>
    readdirSync(join(rig.root, "mirrors"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /(^|\/)tmp_/.test(path),
    );

  it.for(hostileServers.map((hostile) => [hostile.name, hostile] as const))(
    "that %s",
    async ([, { answer, code }], context) => {
      countAttempts(context, "hostile servers");
      const made = await listening((request, response) => {
        response.on("error", () => undefined);
        request.socket.on("error", () => undefined);
        answer(request, response, other.url);
      });
      server = made.server;
      token = "ghs_SecretSecretSecret123";
      const error = await fetch(`${made.url}/repository`).catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({
        code: expect.stringMatching(code),
        message: expect.not.stringContaining("ghs_"),
      });
      expect(asked).toEqual([]);
      expect(leftOver()).toEqual([]);
    },
  );

  it("that sends elsewhere where there is no token to lose", async (context) => {
    countAttempts(context, "hostile servers");
    const made = await listening((request, response) =>
      response.writeHead(302, { location: `${other.url}${request.url}` }).end(),
    );
    server = made.server;
    token = null;

    await expect(fetch(`${made.url}/open`)).rejects.toMatchObject({ code: "repository-missing" });
    expect(asked).toEqual([]);
  });

  it.for(hostileAddresses.map((address) => [address] as const))("at %j", async ([address], context) => {
    countAttempts(context, "hostile servers");

    await expect(fetch(address)).rejects.toMatchObject({ code: "repository-invalid", remedy: "fix-input" });
  });
});
