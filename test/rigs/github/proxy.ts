import { basicPassword, gitHttpBackend, gitRoute } from "./git-http.ts";
import { type Handler, json, type RigRequest, type RigResponse } from "./http.ts";
import { uninstalled } from "./installations.ts";
import { lacking } from "./needs.ts";
import type { RigState, Rule } from "./rule.ts";
import { allowsGit, isJwt, tokenOf } from "./tokens.ts";

export type ProxyParts = RigState & {
  emulatorUrl: string;
  /** The rig's own address. */
  origin: string;
  root: string;
  rules: readonly Rule[];
  /** Called before a push is acknowledged. */
  pushed(fullName: string, by: string): Promise<void>;
  /** Called after the API may have moved branches. */
  edited(fullName: string, by: string): Promise<void>;
};

/** GitHub as the bot sees it: git over HTTP, the rules, and the emulator for all the rest. */
export const proxy =
  (parts: ProxyParts): Handler =>
  async (request) => {
    if (gitRoute(request) !== null) return serveGit(parts, request);
    const token = tokenOf(request);
    if (token !== null && !isJwt(token) && parts.tokens.holder(token) === null)
      return json(401, { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" });
    const refusal = uninstalled(parts, request) ?? lacking(parts.tokens, request);
    if (refusal !== null) return refusal;
    const forward = (body?: unknown) =>
      forwardTo(
        parts,
        body === undefined ? request : { ...request, body: Buffer.from(JSON.stringify(body)) },
      );
    for (const rule of parts.rules) {
      const match = rule.method === request.method ? rule.path.exec(request.path) : null;
      if (match !== null) return rule.answer({ ...parts, request, params: match.groups ?? {}, forward });
    }
    const response = await forward();
    const moved = MOVES_BRANCHES.exec(request.path)?.[1];
    if (request.method !== "GET" && moved !== undefined && response.status < 300)
      await parts.edited(moved, loginOf(parts, token));
    return response;
  };

const loginOf = ({ tokens, botLogin }: ProxyParts, token: string | null): string => {
  const holder = token === null ? null : tokens.holder(token);
  return holder !== null && "login" in holder ? holder.login : botLogin;
};

const MOVES_BRANCHES = /^\/repos\/([^/]+\/[^/]+)\/(?:git\/refs|contents\/|merges$|pulls\/\d+\/merge$)/;

const forwardTo = async ({ emulatorUrl, origin }: ProxyParts, request: RigRequest): Promise<RigResponse> => {
  const { method, path, query, headers, body } = request;
  const passed = ["authorization", "accept", "content-type"].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  const response = await fetch(`${emulatorUrl}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: Object.fromEntries(passed),
    redirect: "manual",
    ...(method === "GET" || method === "HEAD" ? {} : { body: Uint8Array.from(body) }),
  });
  const kept = ["content-type", "link", "location", "x-ratelimit-remaining", "x-ratelimit-reset"].flatMap(
    (name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value.replaceAll(emulatorUrl, `${origin}/api/v3`)]];
    },
  );
  return {
    status: response.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await response.arrayBuffer()),
  };
};

const serveGit = async (parts: ProxyParts, request: RigRequest): Promise<RigResponse> => {
  const { repositories, tokens, visibility, installations, root, pushed } = parts;
  const route = gitRoute(request);
  if (route === null || !repositories.has(route.fullName)) return text(404, "Repository not found.");
  const password = basicPassword(request.headers.authorization);
  const holder = password === null ? null : tokens.holder(password);
  const isOpen = route.access === "read" && visibility(route.fullName) === "public" && password === null;
  const isGone = holder !== null && !("login" in holder) && !installations.covers(route.fullName);
  if ((holder === null && !isOpen) || isGone) {
    const challenge = { "www-authenticate": 'Basic realm="GitHub"' };
    return { ...text(401, "Invalid username or token."), headers: challenge };
  }
  if (holder !== null && !("login" in holder) && !allowsGit(holder, route))
    return text(403, `Permission to ${route.fullName}.git denied.`);
  const user = holder === null ? "" : "login" in holder ? holder.login : parts.botLogin;
  const response = await gitHttpBackend(root, request, { ...route, user });
  if (route.rest === "git-receive-pack" && response.status === 200) await pushed(route.fullName, user);
  return response;
};

const text = (status: number, message: string): RigResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: Buffer.from(`${message}\n`),
});
