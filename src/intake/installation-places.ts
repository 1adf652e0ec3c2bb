import { AppError } from "../base/errors.ts";

/** Deliveries of one installation that a process handles at once. */
const MOST = 4;
/** Often enough that places do not stay empty, seldom enough for the store when thousands wait. */
const ASK_AGAIN_MS = 4_000;

export type InstallationPlaces = {
  /** Does `work` in one of the installation's places. Throws `installation-busy` (retry) when all are taken. */
  within<T>(installation: string, work: () => Promise<T>): Promise<T>;
};

/**
 * Deliveries come in the order in which they were sent. An installation that sends a thousand, or whose forge or
 * repository is slow, may not keep every place of a process busy: others pass it by.
 */
export const installationPlaces = (most = MOST): InstallationPlaces => {
  const taken = new Map<string, number>();
  return {
    within: async (installation, work) => {
      const before = taken.get(installation) ?? 0;
      if (before >= most) throw busy(installation);
      taken.set(installation, before + 1);
      try {
        return await work();
      } finally {
        const left = (taken.get(installation) ?? 1) - 1;
        if (left === 0) taken.delete(installation);
        else taken.set(installation, left);
      }
    },
  };
};

const busy = (installation: string): AppError =>
  new AppError(`As many deliveries of ${installation} as may be at once are handled; this one comes later.`, {
    code: "installation-busy",
    remedy: "retry",
    retryAfterMs: ASK_AGAIN_MS,
  });
