import { slidingCount } from "../base/sliding-count.ts";
import type { Config } from "../config/config.ts";
import type { Sender } from "../forge/events.ts";
import type { ForgePlace } from "../forge/forge.ts";
import { installationOf, repositoryKey } from "../forge/keys.ts";

type Actor = { place: ForgePlace; sender: Pick<Sender, "login"> };

/** What people ask for, so that nobody's flood takes more of the forge and of a process than a few calls. */
export type Actors = {
  /** Whether it was said a moment ago that the person may not ask here: then the forge is not asked again. */
  isRefused(actor: Actor): boolean;
  refuse(actor: Actor): void;
  /** Counts something that a person asks for: `first-unheard` is the first that is not looked at, and the one that is answered so. */
  hear(actor: Actor): "heard" | "first-unheard" | "unheard";
};

/** Short: somebody who was just given the permission asks again. */
const REFUSED_MS = 30_000;
const HOUR_MS = 3_600_000;

export const actors = (
  { heardPerHour }: Pick<Config["limits"]["perActor"], "heardPerHour">,
  now: () => number,
): Actors => {
  const heard = slidingCount({ most: heardPerHour, forMs: HOUR_MS, now });
  const refused = new Map<string, number>();
  const here = ({ place, sender }: Actor): string => `${repositoryKey(place)} ${sender.login.toLowerCase()}`;
  return {
    isRefused: (actor) => now() - (refused.get(here(actor)) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS,
    refuse: (actor) => {
      for (const [key, at] of refused) if (now() - at >= REFUSED_MS) refused.delete(key);
      refused.set(here(actor), now());
    },
    hear: ({ place, sender }) => {
      const count = heard(`${installationOf(place)} ${sender.login.toLowerCase()}`);
      if (count <= heardPerHour) return "heard";
      return count === heardPerHour + 1 ? "first-unheard" : "unheard";
    },
  };
};

export const unheard = (heardPerHour: number): string =>
  `You have asked for ${heardPerHour} things within an hour: what more you ask for is not looked at until there is room again. \`/stop\` and \`/pause\` are always obeyed.`;
