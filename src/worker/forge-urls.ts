import type { Source } from "../store/payload.ts";

/** Where people see the repository, told from the address of the issue or pull request that the work is about. */
const repositoryUrl = (source: Source | null): string | null =>
  /^(https?:\/\/.+)\/(?:issues|pulls?)\/\d+(?:[#?].*)?$/.exec(source?.issue.url ?? "")?.[1] ?? null;

/** Null where the forge has no page for it, or its address is not known. */
export const branchUrl = (source: Source | null, branch: string): string | null => {
  const repository = repositoryUrl(source);
  const path = branch.split("/").map(encodeURIComponent).join("/");
  if (repository === null || source === null) return null;
  return `${repository}/${source.forge === "forgejo" ? "src/branch" : "tree"}/${path}`;
};

export const commitUrl = (source: Source | null, commit: string): string | null => {
  const repository = repositoryUrl(source);
  return repository === null ? null : `${repository}/commit/${commit}`;
};

/** GitHub and Forgejo name a comment's place alike. */
export const commentUrl = (source: Source, comment: string): string | null =>
  source.issue.url === null ? null : `${source.issue.url.replace(/#.*$/, "")}#issuecomment-${comment}`;
