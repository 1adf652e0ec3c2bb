import type { Store } from "../store/store.ts";

const MOST = 50;

/**
 * Whether a pull request stays a draft whatever its checks say: the thread that opened it has stopped half-way, or is a fork,
 * which a person looks at first.
 */
export const isHeldBack = async (
  store: Pick<Store, "linkedThreads" | "links">,
  subject: string,
): Promise<boolean> => {
  const threads = (await store.linkedThreads("pull-subject", subject)).slice(0, MOST);
  const links = await Promise.all(threads.map((id) => store.links(id)));
  return links.some(({ fork, "pull-request": link }) => {
    if (link === undefined) return false;
    const { partial = false, written } = JSON.parse(link) as { partial?: boolean; written?: unknown };
    // Only the thread that has opened it has written its text.
    return partial || (fork !== undefined && written !== undefined);
  });
};
