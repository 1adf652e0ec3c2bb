import type { Config } from "../config/config.ts";
import { installationOf, placeOf, repositoryKey } from "../forge/keys.ts";
import type { Source } from "../store/payload.ts";

export type MonthlyLimits = Config["limits"]["monthly"];

/** Money that threads share, with whom the limit is for, in words that follow "of". */
export type Account = { account: string; limitUsd: number; whose: string };

/** The accounts that a thread's money comes from; those without a limit are left out. */
export const accountsOf = (source: Source | null, monthly: MonthlyLimits): Account[] => {
  const place = source === null ? null : placeOf(source);
  if (source === null || place === null) return [];
  const { requester, forge, repository } = source;
  const owner = repository.split("/")[0] ?? "";
  const all = [
    ...(requester === null
      ? []
      : [
          {
            account: `actor/${forge}/${requester.login.toLowerCase()}`,
            limitUsd: monthly.actorUsd,
            whose: `what ${requester.login} asks for`,
          },
        ]),
    {
      account: `repository/${repositoryKey(place)}`,
      limitUsd: monthly.repositoryUsd,
      whose: `all work in ${repository}`,
    },
    {
      account: `organisation/${installationOf(place)}/${owner.toLowerCase()}`,
      limitUsd: monthly.organisationUsd,
      whose: `all work for ${owner}`,
    },
    { account: "total", limitUsd: monthly.totalUsd, whose: "all work of this server" },
  ];
  return all.filter((one): one is Account => one.limitUsd !== null);
};

/** A calendar month in UTC: `2026-11`. */
export const periodOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** When the period began (milliseconds since the epoch). */
export const startOf = (period: string): number => Date.parse(`${period}-01T00:00:00Z`);
