import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/client";
import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { silentLog } from "../../../src/base/log.ts";
import { forgejoClient } from "../../../src/forge/forgejo/forgejo-client.ts";
import { convertManifest } from "../../../src/forge/github/convert-manifest.ts";
import { githubApp } from "../../../src/forge/github/github-app.ts";
import { httpTransport } from "../../../src/tools/mcp/http-transport.ts";
import { ask, modelAt } from "../../rigs/asking.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

/** More than this process may be given by anybody. */
const TOO_MUCH = 1024 ** 3;
/** Packs to a fiftieth: what is on the way to the reader is not much then. */
const PIECE = Buffer.concat([Buffer.alloc(1000 * 1024, " "), randomBytes(24 * 1024)]);

/** Everything of the engine that reads what a server says. */
const readers: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
  [
    "Forgejo",
    (url) =>
      forgejoClient({ url, token: "t", log: silentLog }).read({ what: "read", path: ["user"] }, z.object({})),
  ],
  ["GitHub", async (url) => (await app(url).asApp()).request("GET /app")],
  ["GitHub, while the App is made", (url) => convertManifest(url, "abc")],
  ["a model's server", (url) => ask(modelAt(url))],
  ["a server of tools", (url) => new Client({ name: "x", version: "1" }).connect(httpTransport(url, null))],
];

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});
const app = (apiUrl: string) =>
  githubApp({
    ...{ appId: 1, privateKey, webhookSecret: "s", apiUrl, pace: "immediate" },
    log: pino({ level: "silent" }),
  });

/** Writes for as long as somebody reads; answers how much that was. */
const endless = (response: ServerResponse, through: NodeJS.ReadWriteStream | null): { unpacked: number } => {
  const sent = { unpacked: 0 };
  const target = through ?? response;
  through?.pipe(response);
  const more = (): void => {
    while (!response.destroyed && sent.unpacked < 4 * TOO_MUCH) {
      sent.unpacked += PIECE.length;
      if (!target.write(PIECE)) return void target.once("drain", more);
    }
  };
  more();
  return sent;
};

const packers = {
  nothing: () => null,
  gzip: () => createGzip({ level: 1 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
} as const;

describe("an answer that is packed to do harm", () => {
  let server: Server | undefined;
  afterEach(async () => {
    await new Promise((resolve) => {
      server?.close(resolve);
      server?.closeAllConnections();
    });
  });
  const serve = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const made = createServer((request, response) => {
      request.resume();
      response.on("error", () => undefined);
      answer(response);
    });
    server = made;
    await new Promise<void>((resolve) => {
      made.listen(0, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
  };

  for (const [reader, read] of readers)
    for (const status of [201, 500] as const)
      for (const [packing, packer] of Object.entries(packers))
        it(`does not fill the memory of who asks ${reader}: ${status}, packed with ${packing}`, async (context) => {
          countAttempts(context, "packed answers");
          const all: { unpacked: number }[] = [];
          const url = await serve((response) => {
            const encoding = packing === "nothing" ? {} : { "content-encoding": packing };
            response.writeHead(status, { "content-type": "application/json", ...encoding });
            all.push(endless(response, packer()));
          });

          await expect(read(url)).rejects.toThrow();
          expect(all.length).toBeGreaterThan(0);
          for (const { unpacked } of all) expect(unpacked).toBeLessThan(TOO_MUCH);
        });

  const packed = gzipSync(JSON.stringify({ name: "x".repeat(100_000) }));
  const damaged: readonly (readonly [string, Buffer, string])[] = [
    ["is cut off", packed.subarray(0, 100), "gzip"],
    [
      "is damaged",
      Buffer.concat([packed.subarray(0, 50), Buffer.alloc(50, 7), packed.subarray(100)]),
      "gzip",
    ],
    ["is not packed", Buffer.from("{}"), "gzip"],
    ["is packed twice", gzipSync(packed), "gzip"],
    ["is packed in a way that nobody knows", packed, "x-none"],
    ["is packed otherwise", packed, "br"],
  ];
  for (const [reader, read] of readers)
    it.for(damaged)(`of ${reader} that %s is an error`, async ([, bytes, encoding], context) => {
      countAttempts(context, "packed answers");
      const url = await serve((response) => {
        response
          .writeHead(200, { "content-type": "application/json", "content-encoding": encoding })
          .end(bytes);
      });

      await expect(read(url)).rejects.toThrow();
    });
});
