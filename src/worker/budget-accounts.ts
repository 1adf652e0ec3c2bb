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
  const { repository } = source;
  const owner = repository.split("/")[0] ?? "";
  const all = [
    ...actorOf(source).map((actor) => ({ ...actor, limitUsd: monthly.actorUsd })),
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

/** Whoever asked for the work; the operator is one person. */
const actorOf = ({ requester, operator, forge }: Source): Pick<Account, "account" | "whose">[] => {
  if (operator === true) return [{ account: `operator/${forge}`, whose: "what the operator asks for" }];
  if (requester === null) return [];
  const { login } = requester;
  return [{ account: `actor/${forge}/${login.toLowerCase()}`, whose: `what ${login} asks for` }];
};

/** A calendar month in UTC: `2026-11`. */
export const periodOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** When the period began (milliseconds since the epoch). */
export const startOf = (period: string): number => Date.parse(`${period}-01T00:00:00Z`);
