/** Forgejo's drafts are pull requests whose titles begin so (`WORK_IN_PROGRESS_PREFIXES` as they come). */
const PREFIX = /^\s*(?:wip:|\[wip\])\s*/i;

export const isDraftTitle = (title: string): boolean => PREFIX.test(title);

/** The title without what makes it a draft's, however often that stands there. */
export const plainTitle = (title: string): string =>
  isDraftTitle(title) ? plainTitle(title.replace(PREFIX, "")) : title;

export const titleOf = (title: string, { draft }: { draft: boolean }): string =>
  draft ? `WIP: ${plainTitle(title)}` : plainTitle(title);
