import { actorIn } from "../access.ts";
import type { BareRepository } from "../bare-repository.ts";
import { json } from "../http.ts";
import { pullOf, type RigPull } from "../pulls.ts";
import { inRepository, type Rule, type RuleContext } from "../rule.ts";

/** The emulator merges the head that a pull request was opened with, and leaves the issues open that it closes. */
export const merge: Rule = {
  method: "PUT",
  path: inRepository("/pulls/(?<number>\\d+)/merge"),
  answer: async (context) => {
    const { fullName = "", number = "" } = context.params;
    const actor = actorIn(context, fullName, { permission: "contents", level: "write" });
    if (typeof actor !== "string") return actor;
    const repository = context.repositories.get(fullName);
    const pull = await pullOf(context, fullName, Number(number));
    if (repository === undefined || pull === null) return json(404, { message: "Not Found" });
    if (!pull.isOpen || pull.draft) return json(405, { message: "Pull Request is not mergeable" });
    const commit = await mergeCommit(repository, { pull, by: actor });
    if (commit === null) return json(405, { message: "Merge conflict" });
    await repository.git("update-ref", `refs/heads/${pull.base}`, commit);
    context.merged.set(`${fullName}#${number}`, { at: new Date().toISOString(), commit });
    await context.pushed(fullName, actor);
    await close(context, { fullName, pull });
    return json(200, { sha: commit, merged: true, message: "Pull Request successfully merged" });
  },
};

/** Null when the two do not go together. */
const mergeCommit = async (
  repository: BareRepository,
  { pull, by }: { pull: RigPull; by: string },
): Promise<string | null> => {
  const base = (await repository.branches()).get(pull.base) ?? "";
  const tree = await repository.git("merge-tree", "--write-tree", base, pull.commit).catch(() => null);
  if (tree === null) return null;
  const who = ["-c", `user.name=${by}`, "-c", `user.email=${by}@example.com`];
  const message = `Merge pull request #${pull.number} from ${pull.branch}`;
  const parents = ["-p", base, "-p", pull.commit];
  return (await repository.git(...who, "commit-tree", tree.trim(), ...parents, "-m", message)).trim();
};

const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d+)/gi;

const close = async (
  { ownerApi }: RuleContext,
  { fullName, pull }: { fullName: string; pull: RigPull },
): Promise<void> => {
  const api = ownerApi(fullName);
  const closed = { state: "closed" };
  await api("PATCH", `/repos/${fullName}/pulls/${pull.number}`, closed);
  const body = typeof pull.data.body === "string" ? pull.data.body : "";
  for (const [, issue] of body.matchAll(CLOSES))
    await api("PATCH", `/repos/${fullName}/issues/${issue}`, closed).catch(() => undefined);
};
