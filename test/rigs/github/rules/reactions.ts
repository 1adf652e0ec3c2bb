import { at } from "../api.ts";
import { json, parsed } from "../http.ts";
import { inRepository, type Rule } from "../rule.ts";
import { tokenOf } from "../tokens.ts";

export type Reaction = { id: number; content: string; user: { login: string } };

export type Reactions = {
  rules: readonly Rule[];
  /** Of `issues/<n>` or `issues/comments/<id>`. */
  of(fullName: string, subject: string): readonly Reaction[];
};

const CONTENTS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];

/** Reactions on issues and their comments: the emulator has none. */
export const reactions = (): Reactions => {
  const kept = new Map<string, Reaction[]>();
  const path = inRepository("/(?<subject>issues/(?:comments/)?\\d+)/reactions");
  const keyOf = (params: Readonly<Record<string, string>>) => `${params.fullName}/${params.subject}`;

  const create: Rule = {
    method: "POST",
    path,
    answer: async ({ request, params, tokens, botLogin, ownerApi }) => {
      const holder = tokens.holder(tokenOf(request) ?? "");
      if (holder === null) return json(401, { message: "Requires authentication" });
      if (!("login" in holder) && holder.permissions.issues !== "write")
        return json(403, { message: "Resource not accessible by integration" });
      const { fullName = "", subject = "" } = params;
      const look = (path: string) => ownerApi(fullName)("GET", `/repos/${fullName}/${path}`);
      const asPull = subject.replace(/^issues\/(?=\d)/, "pulls/");
      const there = await look(subject).catch(() => look(asPull).catch(() => null));
      if (there === null) return json(404, { message: "Not Found" });
      const content = String(at(parsed(request), "content"));
      if (!CONTENTS.includes(content)) return json(422, { message: "Validation Failed" });
      const login = "login" in holder ? holder.login : botLogin;
      const list = kept.get(keyOf(params)) ?? [];
      const before = list.find((each) => each.content === content && each.user.login === login);
      if (before !== undefined) return json(200, before);
      const reaction = { id: kept.size * 1000 + list.length + 1, content, user: { login } };
      kept.set(keyOf(params), [...list, reaction]);
      return json(201, reaction);
    },
  };
  const list: Rule = {
    method: "GET",
    path,
    answer: async ({ params }) => json(200, kept.get(keyOf(params)) ?? []),
  };

  return { rules: [create, list], of: (fullName, subject) => kept.get(`${fullName}/${subject}`) ?? [] };
};
