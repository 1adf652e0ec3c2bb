import { json, type RigResponse } from "./http.ts";
import type { RuleContext } from "./rule.ts";
import { tokenOf } from "./tokens.ts";

type Level = "read" | "write";
type Need = { permission: string; level: Level };

/**
 * The login of who asks, when a token allows it: people may what the rig's stories need, the App what it was given. Otherwise
 * GitHub's refusal.
 */
export const actorIn = (
  { request, tokens, botLogin }: Pick<RuleContext, "request" | "tokens" | "botLogin">,
  fullName: string,
  { permission, level }: Need,
): string | RigResponse => {
  const holder = tokens.holder(tokenOf(request) ?? "");
  if (holder === null) return json(401, { message: "Requires authentication" });
  if ("login" in holder) return holder.login;
  const [owner, name = ""] = fullName.split("/");
  if (holder.owner !== owner || !(holder.repositories?.includes(name) ?? true))
    return json(404, { message: "Not Found" });
  const granted = holder.permissions[permission];
  const isGranted = granted === "write" || (level === "read" && granted === "read");
  return isGranted ? botLogin : json(403, { message: "Resource not accessible by integration" });
};
