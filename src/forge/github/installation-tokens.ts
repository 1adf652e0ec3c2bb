import type { ProbotOctokit as Octokit } from "probot";
import type { Secrets } from "../../base/redact.ts";
import { statusOf } from "./github-errors.ts";
import { type Phase, phases } from "./phases.ts";

/** One repository of one installation. `id`: GitHub's, null where it is not known. */
export type TokenPlace = { installation: number; name: string; id: number | null };

/** Tokens of installations: each for one repository and one phase. */
export interface InstallationTokens {
  /** One that only the caller has, and gives up with `revoke`. */
  mint(place: TokenPlace, phase: Phase): Promise<string>;
  /** One for calls of the API, made when there is none that is young enough. */
  current(place: TokenPlace, phase: Phase): Promise<string>;
  /** It is not taken any more: the next call gets another. */
  forget(token: string): void;
  revoke(token: string): Promise<void>;
}

export type TokenParts = {
  /** As the App. Not spaced like other writes: GitHub does not count these among them. */
  asApp: Octokit;
  withToken(token: string): Octokit;
  secrets: Pick<Secrets, "add">;
  now(): number;
};

/** A burst of deliveries shares one; GitHub's own end of it is an hour. */
const SHARED_MS = 10 * 60_000;
/** Whoever has one may use it this long at least. */
const LEAST_LEFT_MS = 5 * 60_000;

type Minted = { token: string; expiresAt: number };
/** `token`: null until GitHub has answered. */
type Shared = { until: number; token: string | null; minted: Promise<Minted> };

export const installationTokens = ({ asApp, withToken, secrets, now }: TokenParts): InstallationTokens => {
  const shared = new Map<string, Shared>();

  const mint = async (place: TokenPlace, phase: Phase): Promise<Minted> => {
    const { data } = await asApp.rest.apps.createInstallationAccessToken({
      installation_id: place.installation,
      ...(place.id === null ? { repositories: [place.name] } : { repository_ids: [place.id] }),
      permissions: phases[phase],
    });
    const expiresAt = Date.parse(data.expires_at);
    secrets.add(data.token, { expiresAt });
    return { token: data.token, expiresAt };
  };
  const dropOld = (): void => {
    for (const [key, { until }] of shared) if (until <= now()) shared.delete(key);
  };
  const share = (key: string, place: TokenPlace, phase: Phase): Promise<Minted> => {
    const entry: Shared = { until: now() + SHARED_MS, token: null, minted: mintClearly(mint, place, phase) };
    shared.set(key, entry);
    entry.minted.then(
      ({ token, expiresAt }) => {
        entry.token = token;
        entry.until = Math.min(entry.until, expiresAt - LEAST_LEFT_MS);
      },
      () => {
        if (shared.get(key) === entry) shared.delete(key);
      },
    );
    return entry.minted;
  };

  return {
    mint: async (place, phase) => (await mintClearly(mint, place, phase)).token,
    current: async (place, phase) => {
      dropOld();
      const key = [place.installation, place.id ?? place.name, phase].join(" ");
      return (await (shared.get(key)?.minted ?? share(key, place, phase))).token;
    },
    forget: (token) => {
      for (const [key, entry] of shared) if (entry.token === token) shared.delete(key);
    },
    revoke: async (token) => {
      await withToken(token).rest.apps.revokeInstallationAccessToken();
    },
  };
};

/**
 * GitHub refuses with one status what the App may not do and a repository that it does not see: they become what a call would have
 * been told.
 */
const mintClearly = async <T>(
  mint: (place: TokenPlace, phase: Phase) => Promise<T>,
  place: TokenPlace,
  phase: Phase,
): Promise<T> => {
  try {
    return await mint(place, phase);
  } catch (error) {
    if (error instanceof Error && statusOf(error) === 422)
      throw Object.assign(error, { status: /repositor/i.test(error.message) ? 404 : 403 });
    throw error;
  }
};
