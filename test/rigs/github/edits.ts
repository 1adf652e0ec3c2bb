import { isObject } from "../../../src/base/json.ts";
import { at } from "./api.ts";
import { parsed } from "./http.ts";
import { inRepository, type Rule } from "./rule.ts";
import { withHeads } from "./rules/pull-requests.ts";

/** What texts were before somebody edited them: the emulator does not tell. */
export type Edits = {
  rules: readonly Rule[];
  /** `changes` of a payload that tells of an edit. */
  of(fullName: string, payload: Record<string, unknown>): { changes?: object };
};

const FIELDS = ["title", "body"] as const;

export const edits = (): Edits => {
  const before = new Map<string, object[]>();
  const noting = (kind: "issues/comments" | "issues" | "pulls"): Rule => ({
    method: "PATCH",
    path: inRepository(`/${kind}/(?<id>\\d+)`),
    answer: async (context) => {
      const { params, request, ownerApi, forward } = context;
      const { fullName = "", id = "" } = params;
      const old = await ownerApi(fullName)("GET", `/repos/${fullName}/${kind}/${id}`).catch(() => null);
      const asked = parsed(request);
      const changes = FIELDS.filter((field) => at(asked, field) !== undefined).map((field) => [
        field,
        { from: at(old, field) ?? "" },
      ]);
      const key = `${fullName}/${kind}/${id}`;
      if (changes.length > 0)
        before.set(key, [...(before.get(key) ?? []), Object.fromEntries(changes) as object]);
      // GitHub takes no draft here: only its GraphQL does.
      if (kind !== "pulls" || !isObject(asked)) return forward();
      const { draft: _, ...rest } = asked;
      return withHeads(context, await forward(rest));
    },
  });
  return {
    rules: [noting("issues/comments"), noting("issues"), noting("pulls")],
    of: (fullName, payload) => {
      const changes = before.get(`${fullName}/${subjectOf(payload)}`)?.shift();
      return changes === undefined ? {} : { changes };
    },
  };
};

const subjectOf = (payload: Record<string, unknown>): string => {
  if (isObject(payload.comment)) return `issues/comments/${payload.comment.id}`;
  const pull = at(payload, "pull_request", "number");
  return pull === undefined ? `issues/${at(payload, "issue", "number")}` : `pulls/${pull}`;
};
