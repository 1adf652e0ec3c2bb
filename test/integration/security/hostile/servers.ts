import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createDeflate, createGzip } from "node:zlib";

type Answer = (request: IncomingMessage, response: ServerResponse, other: string) => void;

/** What a server says that is asked for a repository. `other`: another server's address, which nobody may ask. */
export type HostileServer = { name: string; answer: Answer; code: string | RegExp };

const COMMIT = "a".repeat(40);
const CAPABILITIES = `symref=HEAD:refs/heads/main side-band-64k ofs-delta`;

const line = (text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
};
const FLUSH = Buffer.from("0000");
const HEADERS = { "content-type": "application/x-git-upload-pack-advertisement" };
const SERVICE = Buffer.concat([line("# service=git-upload-pack\n"), FLUSH]);

const advertised = (capabilities = CAPABILITIES): Buffer =>
  Buffer.concat([
    SERVICE,
    line(`${COMMIT} HEAD\0${capabilities}\n`),
    line(`${COMMIT} refs/heads/main\n`),
    FLUSH,
  ]);

/** Writes for as long as somebody reads. */
const forever = (response: NodeJS.WritableStream, next: () => Buffer | string): void => {
  const more = (): void => {
    while (response.write(next()));
    response.once("drain", more);
  };
  more();
};

/** Advertises one branch, and answers what is asked of it. */
const packing =
  (pack: (response: ServerResponse) => void): Answer =>
  ({ method }, response) => {
    if (method === "GET") return void response.writeHead(200, HEADERS).end(advertised());
    response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
    response.write(line("NAK\n"));
    pack(response);
  };
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end("no");
const saying =
  (body: Buffer | string, headers: Readonly<Record<string, string>> = HEADERS): Answer =>
  (_, response) =>
    void response.writeHead(200, headers).end(body);

const band = (bytes: Buffer): Buffer => line(Buffer.concat([Buffer.from([1]), bytes]));
const packHeader = (objects: number): Buffer =>
  Buffer.concat([Buffer.from("PACK"), Buffer.from([0, 0, 0, 2, 0, 0, 0, objects])]);
/** A blob of 2^32 bytes or so, as it stands in a pack. */
const HUGE_BLOB = Buffer.from([0xbf, 0xff, 0xff, 0xff, 0xff, 0x0f]);

export const hostileServers: readonly HostileServer[] = [
  { name: "never answers", answer: () => undefined, code: "git-timeout" },
  {
    name: "stops half-way",
    answer: (_, response) => void response.writeHead(200, HEADERS).write(SERVICE),
    code: "git-timeout",
  },
  {
    name: "says a byte at a time",
    answer: (_, response) => {
      response.writeHead(200, HEADERS);
      const drip = setInterval(() => response.write("0"), 50);
      response.on("close", () => clearInterval(drip));
    },
    code: "git-timeout",
  },
  {
    name: "has branches without end",
    answer: (_, response) => {
      response.writeHead(200, HEADERS).write(SERVICE);
      let n = 0;
      forever(response, () => line(`${COMMIT} refs/heads/b${n++}\n`));
    },
    code: /git-timeout|repository-too-large/,
  },
  {
    name: "says more than it seems to, packed",
    answer: (_, response) => {
      response.writeHead(200, { ...HEADERS, "content-encoding": "gzip" });
      const zip = createGzip({ level: 9 });
      zip.pipe(response);
      forever(zip, () => Buffer.alloc(1024 * 1024, "0"));
    },
    code: /git-timeout|repository-too-large|repository-damaged/,
  },
  {
    name: "has headers without end",
    answer: ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      forever(socket, () => `x-a: ${"x".repeat(1000)}\r\n`);
    },
    code: /git-timeout|repository-unavailable|git-failed/,
  },
  {
    name: "hangs up",
    answer: ({ socket }) => void socket.destroy(),
    code: /repository-unavailable|git-failed/,
  },
  {
    name: "wants a password",
    answer: status(401, { "www-authenticate": "Basic realm=x" }),
    code: "repository-denied",
  },
  { name: "lets nobody in", answer: status(403), code: "repository-denied" },
  { name: "knows nothing", answer: status(404), code: "repository-missing" },
  { name: "is gone", answer: status(410), code: /repository-missing|git-failed/ },
  { name: "is overrun", answer: status(429), code: "repository-unavailable" },
  { name: "is broken", answer: status(500), code: "repository-unavailable" },
  {
    name: "sends elsewhere",
    answer: (request, response, other) =>
      void response.writeHead(302, { location: `${other}${request.url}` }).end(),
    code: /repository-missing|repository-damaged|git-failed/,
  },
  {
    name: "sends to a file",
    answer: (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    code: /repository-missing|git-failed|repository-damaged|repository-unavailable/,
  },
  {
    name: "sends round in circles",
    answer: (request, response) => void response.writeHead(302, { location: `${request.url}&` }).end(),
    code: /repository-missing|git-failed|repository-damaged/,
  },
  {
    name: "shows a page",
    answer: saying("<html></html>", { "content-type": "text/html" }),
    code: /repository-(missing|damaged|empty)/,
  },
  { name: "says nothing", answer: saying(""), code: /repository-(damaged|empty|unavailable)/ },
  { name: "says noise", answer: saying(randomBytes(1000)), code: "repository-damaged" },
  { name: "says lines of no length", answer: saying("zzzzabc"), code: "repository-damaged" },
  {
    name: "has another hash",
    answer: saying(advertised(`${CAPABILITIES} object-format=md5`)),
    code: /repository-(damaged|unavailable)/,
  },
  {
    name: "has a name that climbs",
    answer: saying(
      Buffer.concat([SERVICE, line(`${COMMIT} refs/heads/../../../x\0${CAPABILITIES}\n`), FLUSH]),
    ),
    code: /repository-damaged|branch-missing|repository-empty/,
  },
  {
    name: "says that its packs are elsewhere",
    answer: ({ method }, response, other) => {
      if (method === "GET")
        return void response
          .writeHead(200, HEADERS)
          .end(
            Buffer.concat([
              line("version 2\n"),
              line("ls-refs\n"),
              line("fetch=packfile-uris\n"),
              line("bundle-uri\n"),
              FLUSH,
            ]),
          );
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
      response.end(Buffer.concat([line("packfile-uris\n"), line(`${COMMIT} ${other}/pack\n`), FLUSH]));
    },
    code: /repository-damaged|repository-empty|git-failed/,
  },
  {
    name: "has its objects elsewhere, as files",
    answer: ({ url = "" }, response, other) => {
      if (url.includes("/info/refs")) return void response.end(`${COMMIT}\trefs/heads/main\n`);
      if (url.endsWith("/HEAD")) return void response.end("ref: refs/heads/main\n");
      if (url.includes("alternates")) return void response.end(`${other}/objects\n`);
      response.writeHead(404).end();
    },
    code: /repository-(damaged|missing)|git-failed/,
  },
  {
    name: "says that it cannot",
    answer: packing((response) => void response.end(line(`\x03no\n`))),
    code: /repository-damaged|git-failed/,
  },
  {
    name: "sends nothing",
    answer: packing((response) => void response.end()),
    code: /repository-(unavailable|damaged)/,
  },
  {
    name: "sends noise",
    answer: packing((response) => void response.end(band(randomBytes(1000)))),
    code: "repository-damaged",
  },
  {
    name: "sends an empty pack",
    answer: packing((response) => void response.end(Buffer.concat([band(packHeader(0)), FLUSH]))),
    code: /repository-(damaged|unavailable)/,
  },
  {
    name: "sends half a pack",
    answer: packing((response) => void response.end(band(Buffer.concat([packHeader(9), HUGE_BLOB])))),
    code: /repository-(damaged|unavailable|too-large)/,
  },
  {
    name: "sends a pack and stops",
    answer: packing((response) => void response.write(band(packHeader(9)))),
    code: "git-timeout",
  },
  {
    name: "sends a pack without end",
    answer: packing((response) => {
      response.write(band(Buffer.concat([packHeader(1), HUGE_BLOB])));
      const deflate = createDeflate({ level: 0 });
      deflate.on("data", (chunk: Buffer) => {
        for (let at = 0; at < chunk.length; at += 60_000)
          response.write(band(chunk.subarray(at, at + 60_000)));
        if (response.writableNeedDrain) {
          deflate.pause();
          response.once("drain", () => deflate.resume());
        }
      });
      forever(deflate, () => randomBytes(65_536));
    }),
    code: "repository-too-large",
  },
  {
    name: "talks without end",
    answer: packing((response) => forever(response, () => line(`\x02${"x".repeat(1000)}\n`))),
    code: "git-timeout",
  },
];

/** Addresses that are no repository's. */
export const hostileAddresses: readonly string[] = [
  "ext::sh -c touch% /tmp/x",
  "fd::17/x",
  "--upload-pack=touch /tmp/x",
  "-u/tmp/x",
  "ssh://-oProxyCommand=x/y",
  "ssh://a@-oProxyCommand=x/y",
  "-oProxyCommand=x:y",
  "git://127.0.0.1/x",
  "ftp://127.0.0.1/x",
  "http://user:password@127.0.0.1/x",
  "http:///x",
  "https://\u0000/x",
  "transport-helper::x",
  "relative/path",
  "",
  "http://[::1",
  "javascript:alert(1)//x y",
  "a\nb:c",
];
