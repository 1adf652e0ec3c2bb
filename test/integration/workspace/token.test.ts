import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitRequest, unexamined, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

const TOKEN = "ghs_SecretSecretSecret123";
const EXPECTED = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;

/** Git over HTTP by git's own CGI program, for who shows the token. */
const serve = async (root: string): Promise<{ server: Server; url: string }> => {
  const server = createServer((request, response) => {
    if (request.headers.authorization === EXPECTED) return runCgi(root, request, response);
    response
      .writeHead(401, { "www-authenticate": "Basic realm=git" })
      .end(`bad ${request.headers.authorization}`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository` };
};

const runCgi = (root: string, request: IncomingMessage, response: ServerResponse): void => {
  const { pathname, search } = new URL(request.url ?? "/", "http://x");
  const cgi = spawn("git", ["-c", "safe.directory=*", "-c", "http.receivepack=true", "http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      REMOTE_USER: "x",
    },
  });
  request.pipe(cgi.stdin);
  const chunks: Buffer[] = [];
  cgi.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  cgi.on("close", () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf("\r\n\r\n");
    const headers = all
      .subarray(0, end)
      .toString()
      .split("\r\n")
      .map((line) => line.split(": ") as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers)).end(all.subarray(end + 4));
  });
};

describe("a token", () => {
  let rig: WorkspaceRig;
  let server: Server;
  let url: string;
  let token: string;
  beforeEach(async () => {
    rig = workspaceRig({ "a.txt": "a\n" }, { remoteFor: async () => ({ url, token }) });
    ({ server, url } = await serve(rig.source.directory));
    token = TOKEN;
  });
  afterEach(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await rig.dispose();
  });

  it("opens a private repository and stays nowhere: no file, no environment of a command", async () => {
    const { thread, sh } = await rig.begin();
    const { output } = await sh("env; cat .git/config; echo changed > a.txt");
    const captured = await rig.capture(thread);

    const pushed = await rig.workspaces.push(thread, captured, commitRequest, { url, token }, unexamined);

    expect(rig.source.git("rev-parse", commitRequest.branch)).toBe(pushed.commit);
    expect(output).not.toContain(TOKEN);
    expect(filesContaining(rig.root, [TOKEN, EXPECTED.slice(6)])).toEqual([]);
  });

  it("is not on any command line", async () => {
    const seen: string[] = [];
    const watch = setInterval(() => seen.push(execFileSync("ps", ["-eo", "args"]).toString()), 5);

    await rig.begin();
    clearInterval(watch);

    expect(seen.some((list) => list.includes("git ls-remote") || list.includes("git fetch"))).toBe(true);
    for (const secret of [TOKEN, EXPECTED.slice(6)]) expect(seen.join("\n")).not.toContain(secret);
  });

  it("that is wrong is an error of configuration which does not repeat it", async () => {
    token = "ghs_WrongWrongWrong";

    const error = await rig.begin().catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "repository-denied", remedy: "fix-config" });
    expect(String(error)).not.toContain(token);
  });
});

const filesContaining = (directory: string, secrets: readonly string[]): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => secrets.some((secret) => readFileSync(path, "latin1").includes(secret)));
