import { dirname } from "node:path";
import { runFromSmallProcess } from "../small-process.ts";
import { git, gitEnvironment } from "./git.ts";
import type { RigRequest, RigResponse } from "./http.ts";

/** `/owner/name(.git)/…` as git's smart protocol asks for it; null for other paths. */
export const gitRoute = ({ path, query }: Pick<RigRequest, "path" | "query">) => {
  const match = /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path);
  if (match === null) return null;
  const [, fullName = "", rest = ""] = match;
  const service = rest === "info/refs" ? new URLSearchParams(query).get("service") : rest;
  return { fullName, rest, access: service === "git-receive-pack" ? ("write" as const) : ("read" as const) };
};

/** The password of HTTP's Basic scheme, which is the token; null without one. */
export const basicPassword = (header: string | undefined): string | null => {
  const encoded = /^Basic (\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return null;
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
};

let programs: Promise<string> | undefined;

/** Asks git's own CGI program (git-http-backend(1)), with the repositories below `root`. */
export const gitHttpBackend = async (
  root: string,
  request: RigRequest,
  { fullName, rest, user }: { fullName: string; rest: string; user: string },
): Promise<RigResponse> => {
  programs ??= git(["--exec-path"]);
  const { headers } = request;
  const { stdout } = await runFromSmallProcess({
    argv: [`${(await programs).trim()}/git-http-backend`],
    cwd: dirname(root),
    input: request.body,
    env: gitEnvironment({
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: `/${fullName}.git/${rest}`,
      QUERY_STRING: request.query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: String(request.body.length),
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      GIT_PROTOCOL: headers["git-protocol"] ?? "",
      REMOTE_USER: user,
    }),
  });
  return fromCgi(Buffer.from(stdout));
};

/** A CGI answer (RFC 3875, section 6): headers, among them `Status`, a blank line, the body. */
const fromCgi = (output: Buffer): RigResponse => {
  const end = output.indexOf("\r\n\r\n");
  const headers: Record<string, string> = {};
  for (const line of output.subarray(0, end).toString("latin1").split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = "200", ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest, body: output.subarray(end + 4) };
};
