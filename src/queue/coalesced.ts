/**
 * While `work` runs, all who ask share its next run, which begins after they asked: what they want done is done when
 * their promise resolves.
 */
export const coalesced = (work: () => Promise<void>): (() => Promise<void>) => {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    const begin = (): Promise<void> => {
      next = null;
      current = work();
      return current;
    };
    next ??= current.then(begin, begin);
    return next;
  };
};
