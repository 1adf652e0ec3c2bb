import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type WebOrigin = {
  /** Of plain HTTP, and of TLS, on 127.0.0.1. */
  ports: { http: number; https: number };
  /** The file with the authority that its certificate is of. */
  authority: string;
  /** The file with its key. */
  key: string;
  /** `GET http://example.org/`, in order. */
  requests: string[];
  close(): Promise<void>;
};

/** True where `openssl` is, which makes the certificate, and `curl`, which asks. */
export const webProgramsAreHere = (): boolean =>
  ["openssl", "curl"].every((name) => spawnSync(name, ["version"]).error === undefined);

/** A web server with a certificate for these names, made by `openssl`, and the same without TLS. */
export const webOrigin = async (names: readonly string[], answer: RequestListener): Promise<WebOrigin> => {
  const path = mkdtempSync(join(tmpdir(), "uwf-origin-"));
  // Sandboxes run as another user.
  chmodSync(path, 0o755);
  const [key, authority] = [join(path, "key.pem"), join(path, "authority.pem")];
  const subject = [
    "-subj",
    "/CN=uwf test",
    "-addext",
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`,
  ];
  const made = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
  ];
  execFileSync("openssl", [...made, "-keyout", key, "-out", authority, ...subject], { stdio: "pipe" });
  const requests: string[] = [];
  const listen =
    (scheme: string): RequestListener =>
    (request, response) => {
      requests.push(`${request.method} ${scheme}://${request.headers.host}${request.url}`);
      answer(request, response);
    };
  const http = createServer(listen("http"));
  const https = createTlsServer({ key: readFileSync(key), cert: readFileSync(authority) }, listen("https"));
  for (const server of [http, https]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const portOf = (server: typeof http | typeof https): number => (server.address() as AddressInfo).port;
  return {
    ports: { http: portOf(http), https: portOf(https) },
    authority,
    key,
    requests,
    close: async () => {
      for (const server of [http, https]) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
      rmSync(path, { recursive: true });
    },
  };
};
