const MAX_CHARS = 60;

/**
 * `uwf/issue-<n>-<slug>`: ASCII, a valid git ref, at most 60 characters; the same issue always gets the same name.
 * Work on no numbered issue gets `uwf/<slug>`.
 */
export const branchName = (
  issue: { number: number | null; title: string },
  { prefix = "uwf/" }: { prefix?: string } = {},
): string => {
  const start = issue.number === null ? prefix : `${prefix}issue-${issue.number}`;
  const slug = slugOf(issue.title, MAX_CHARS - start.length - 1);
  if (issue.number === null) return `${start}${slug || "work"}`;
  return slug === "" ? start : `${start}-${slug}`;
};

/** Words of a-z and 0-9 with hyphens between, whole words as far as they fit. */
const slugOf = (title: string, maxChars: number): string => {
  const slug = title
    .slice(0, 500)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/['’`]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (slug.length <= maxChars) return slug;
  const head = slug.slice(0, maxChars + 1);
  const wordEnd = head.lastIndexOf("-");
  return (wordEnd > 0 ? head.slice(0, wordEnd) : head.slice(0, maxChars)).replace(/-+$/, "");
};
