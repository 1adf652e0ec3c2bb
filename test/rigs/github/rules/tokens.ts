import { at } from "../api.ts";
import { json, parsed } from "../http.ts";
import { inRepository, type Rule } from "../rule.ts";
import { tokenOf } from "../tokens.ts";

const mint: Rule = {
  method: "POST",
  path: /^\/app\/installations\/(?<id>\d+)\/access_tokens$/,
  answer: async ({ params, forward, tokens, installations }) => {
    const response = await forward();
    if (response.status === 201) tokens.add(installations.ownerOf(Number(params.id)), parsed(response));
    return response;
  },
};

const revoke: Rule = {
  method: "DELETE",
  path: /^\/installation\/token$/,
  answer: async ({ request, tokens }) => {
    tokens.revoke(tokenOf(request) ?? "");
    return { status: 204, headers: {}, body: Buffer.alloc(0) };
  },
};

const repositoriesOfToken: Rule = {
  method: "GET",
  path: /^\/installation\/repositories$/,
  answer: async ({ request, tokens, repositories, installations, ownerApi }) => {
    const holder = tokens.holder(tokenOf(request) ?? "");
    if (holder === null || "login" in holder) return json(403, { message: "not an installation token" });
    const inReach = [...repositories.keys()].filter((fullName) => {
      const [owner, name = ""] = fullName.split("/");
      const isInstalled = owner === holder.owner && installations.covers(fullName);
      return isInstalled && (holder.repositories === null || holder.repositories.includes(name));
    });
    const full = await Promise.all(inReach.map((name) => ownerApi(name)("GET", `/repos/${name}`)));
    return json(200, { total_count: full.length, repositories: full });
  },
};

/** The emulator says `push` and knows no strangers; GitHub says `write`, and what everybody may do. */
const collaboratorPermission: Rule = {
  method: "GET",
  path: inRepository("/collaborators/(?<login>[^/]+)/permission"),
  answer: async ({ params, forward, users, visibility }) => {
    const response = await forward();
    const { fullName = "", login = "" } = params;
    if (response.status === 404 && users.some((user) => user.login === login))
      return permission(visibility(fullName) === "public" ? "read" : "none", login);
    if (response.status !== 200) return response;
    const said = String(at(parsed(response), "permission"));
    return permission(LEVELS[said] ?? said, login, String(at(parsed(response), "role_name")));
  },
};

const LEVELS: Readonly<Record<string, string>> = {
  push: "write",
  maintain: "write",
  pull: "read",
  triage: "read",
};

const permission = (level: string, login: string, role = level) =>
  json(200, { permission: level, role_name: role, user: { login } });

export const tokenRules: readonly Rule[] = [mint, revoke, repositoriesOfToken, collaboratorPermission];
