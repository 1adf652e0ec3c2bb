import type { Store, ThreadRecord, ThreadStatus } from "../store/store.ts";

export const UNDER_WAY: readonly ThreadStatus[] = ["queued", "running", "paused", "suspended"];

export const isUnderWay = ({ status }: Pick<ThreadRecord, "status">): boolean => UNDER_WAY.includes(status);

const MOST = 20;

/**
 * The threads that a command on an issue or a pull request can mean, newest first: those that work on it, and those whose
 * pull request it is.
 */
export const threadsAbout = async (
  store: Pick<Store, "thread" | "threads" | "linkedThreads">,
  subject: string,
): Promise<ThreadRecord[]> => {
  const [own, linked] = await Promise.all([
    store.threads({ subject, limit: MOST }),
    store.linkedThreads("pull-subject", subject),
  ]);
  const known = new Set(own.map(({ id }) => id));
  const others = await Promise.all(
    linked
      .filter((id) => !known.has(id))
      .slice(0, MOST)
      .map((id) => store.thread(id)),
  );
  return [...own, ...others.filter((record) => record !== undefined)].sort(
    (a, b) => b.createdAt - a.createdAt,
  );
};
