import type { ThreadId } from "../base/ids.ts";
import type { Store } from "../store/store.ts";

const MOST = 50;

/** As publishing keeps it; only the thread that has opened the pull request has written its text. */
type PullLink = { draft?: boolean; partial?: boolean; written?: unknown };

/**
 * Whether a pull request stays a draft whatever its checks say: the thread that opened it has stopped half-way, or is a fork, which a
 * person looks at first; or it was ready before, and a person has made it a draft.
 */
export const isHeldBack = async (
  store: Pick<Store, "linkedThreads" | "links">,
  subject: string,
): Promise<boolean> =>
  (await linksTo(store, subject)).some(
    ({ isFork, link: { draft, partial = false, written } }) =>
      partial || (written !== undefined && (isFork || draft === false)),
  );

/** Keeps that a pull request is no draft any more. Answers the threads that have told people otherwise. */
export const noteReady = async (
  store: Pick<Store, "linkedThreads" | "links" | "setLink">,
  subject: string,
): Promise<ThreadId[]> => {
  const drafts = (await linksTo(store, subject)).filter(({ link }) => link.draft === true);
  for (const { id, link } of drafts)
    await store.setLink(id, "pull-request", JSON.stringify({ ...link, draft: false }));
  return drafts.map(({ id }) => id);
};

const linksTo = async (
  store: Pick<Store, "linkedThreads" | "links">,
  subject: string,
): Promise<{ id: ThreadId; isFork: boolean; link: PullLink }[]> => {
  const ids = (await store.linkedThreads("pull-subject", subject)).slice(0, MOST);
  const found = await Promise.all(ids.map(async (id) => ({ id, links: await store.links(id) })));
  return found.flatMap(({ id, links: { fork, "pull-request": link } }) =>
    link === undefined ? [] : [{ id, isFork: fork !== undefined, link: JSON.parse(link) as PullLink }],
  );
};
