import type { Config } from "../config/config.ts";
import type { Sender } from "../forge/events.ts";
import type { ForgePlace } from "../forge/forge.ts";
import { installationOf, repositoryKey } from "../forge/keys.ts";
import type { Store } from "../store/store.ts";

type Actor = { place: ForgePlace; sender: Pick<Sender, "login"> };
/** `id`: the delivery that brings what the person asks for. */
type Asking = Actor & { id: string };

/** What people ask for, so that nobody's flood takes more of the forge and of a process than a few calls. */
export type Actors = {
  /** Whether it was said a moment ago that the person may not ask here: then the forge is not asked again. */
  isRefused(actor: Actor): boolean;
  refuse(actor: Actor): void;
  /** Whether it was said a while ago that the person may ask here: enough to wait for one's turn, and for nothing else. */
  mayWait(actor: Actor): boolean;
  letWait(actor: Actor): void;
  /** Whether the person has asked for too much, and was told so: then the forge is not asked either. */
  isUnheard(asking: Asking): Promise<boolean>;
  /**
   * Counts what a person who may ask asks for, over all processes, and once for each delivery: `unheard` is not looked at,
   * and answered so.
   */
  hear(asking: Asking): Promise<"heard" | "unheard">;
};

/** Short: somebody who was just given the permission asks again. */
const REFUSED_MS = 30_000;
/** Whoever waits is asked about once more when the turn has come. */
const MAY_WAIT_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;

export const actors = (
  store: Pick<Store, "hear">,
  { heardPerHour }: Pick<Config["limits"]["perActor"], "heardPerHour">,
  now: () => number,
): Actors => {
  const refused = remembered(REFUSED_MS, now);
  const waiting = remembered(MAY_WAIT_MS, now);
  const told = new Map<string, { id: string; at: number }>();
  const here = ({ place, sender }: Actor): string => `${repositoryKey(place)} ${sender.login.toLowerCase()}`;
  const hear = (asking: Asking): Promise<boolean> =>
    store.hear(asking.id, { person: personOf(asking), most: heardPerHour, withinMs: HOUR_MS });
  return {
    isRefused: (actor) => refused.has(here(actor)),
    refuse: (actor) => refused.add(here(actor)),
    mayWait: (actor) => waiting.has(here(actor)),
    letWait: (actor) => waiting.add(here(actor)),
    isUnheard: async (asking) => {
      const last = told.get(personOf(asking));
      // The one that is answered may come again.
      if (last === undefined || last.id === asking.id || now() - last.at >= HOUR_MS) return false;
      return !(await hear(asking));
    },
    hear: async (asking) => {
      if (await hear(asking)) return "heard";
      for (const [key, { at }] of told) if (now() - at >= HOUR_MS) told.delete(key);
      told.set(personOf(asking), { id: asking.id, at: now() });
      return "unheard";
    },
  };
};

/** Names, each for so many milliseconds. */
const remembered = (ms: number, now: () => number) => {
  const since = new Map<string, number>();
  return {
    has: (name: string): boolean => now() - (since.get(name) ?? Number.NEGATIVE_INFINITY) < ms,
    add: (name: string): void => {
      for (const [each, at] of since) if (now() - at >= ms) since.delete(each);
      since.set(name, now());
    },
  };
};

const personOf = ({ place, sender }: Actor): string =>
  `${installationOf(place)} ${sender.login.toLowerCase()}`;

export const unheard = (heardPerHour: number): string =>
  `You have asked for ${heardPerHour} things within an hour: what more you ask for is not looked at until there is room again. \`/stop\` and \`/pause\` are always obeyed.`;
