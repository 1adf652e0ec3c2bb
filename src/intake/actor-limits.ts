import { inputError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import type { ForgePlace } from "../forge/forge.ts";
import { installationOf } from "../forge/keys.ts";
import type { Source } from "../store/payload.ts";
import type { Store, ThreadRecord } from "../store/store.ts";
import { isUnderWay } from "./subjects.ts";

const DAY_MS = 24 * 3_600_000;

/** Who asks: a login on the forge; null: the server's operator, who counts as one person. */
type Asker = { place: ForgePlace; login: string | null };

type Limits = Pick<Config["limits"]["perActor"], "underWay" | "startedPerDay">;

/**
 * Throws `actor-busy` (fix-input) when the person has as much work under way in the installation, or has begun as much within a day, as
 * one may have.
 */
export const requireRoom = async (
  { store, limits, now }: { store: Pick<Store, "threads" | "loadAll">; limits: Limits; now: number },
  { place, login }: Asker,
): Promise<void> => {
  const { underWay, startedPerDay } = limits;
  // Nobody can be at a limit when all together are below it; beyond the newest, a flood has others' threads in it.
  const most = 2 * Math.max(underWay, startedPerDay);
  const newest = await store.threads({ installation: installationOf(place), limit: most });
  const counted = newest.filter((thread) => isUnderWay(thread) || isToday(thread, now));
  if (counted.length < Math.min(underWay, startedPerDay)) return;
  const starts = await store.loadAll(
    "thread-start",
    counted.map(({ start }) => start),
  );
  const own = counted.filter((_, at) => isAskers(starts[at]?.source ?? null, login));
  const waiting = own.filter(isUnderWay).length;
  if (waiting >= underWay)
    throw tooMuch(`${waiting} threads that you asked for are under way, and ${underWay} may be.`);
  const today = own.filter((thread) => isToday(thread, now)).length;
  if (today >= startedPerDay)
    throw tooMuch(`You have asked for ${today} threads within a day, and may ask for ${startedPerDay}.`);
};

const isAskers = (source: Source | null, login: string | null): boolean =>
  login === null ? source?.operator === true : source?.requester?.login.toLowerCase() === login.toLowerCase();

const isToday = ({ createdAt }: ThreadRecord, now: number): boolean => createdAt > now - DAY_MS;

const tooMuch = (message: string) => inputError("actor-busy", message, "Ask again when there is room.");
