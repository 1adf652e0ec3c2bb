import type { ThreadId } from "../../../src/base/ids.ts";
import type { AdmissionLimits } from "../../../src/store/store.ts";

export type ModelThread = {
  id: ThreadId;
  /** null: in no line. */
  line: { installation: string; repository: string } | null;
  createdAt: number;
  status: "queued" | "running" | "completed";
  dueAt: number;
  admitted: boolean;
};

/** What `admit` goes by, without a database. */
export type AdmissionModel = {
  threads: ModelThread[];
  workers: Map<string, { places: number; until: number }>;
  /** When an installation was served last. */
  served: Map<string, number>;
};

type InLine = ModelThread & { line: NonNullable<ModelThread["line"]> };

const inLines = ({ threads }: AdmissionModel): InLine[] =>
  threads.filter((thread): thread is InLine => thread.line !== null);

const taken = (model: AdmissionModel): InLine[] =>
  inLines(model)
    .filter(({ status, admitted }) => status === "running" || admitted)
    .toSorted(byAge);

const byAge = (a: ModelThread, b: ModelThread): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** One thread after another, each time the best of all that may go. */
export const admitInModel = (
  model: AdmissionModel,
  { limits, now }: { limits: AdmissionLimits; now: number },
): ThreadId[] => {
  const living = [...model.workers.values()].filter(({ until }) => until > now);
  const places = living.reduce((sum, worker) => sum + worker.places, 0);
  while (taken(model).length < Math.min(places, limits.total ?? Number.POSITIVE_INFINITY)) {
    const next = nextOf(model, { limits, now });
    if (next === undefined) break;
    next.admitted = true;
    model.served.set(next.line.installation, now);
  }
  return taken(model).map(({ id }) => id);
};

const nextOf = (
  model: AdmissionModel,
  { limits, now }: { limits: AdmissionLimits; now: number },
): InLine | undefined => {
  const under = taken(model);
  const ofInstallation = ({ line }: InLine): number =>
    under.filter((other) => other.line.installation === line.installation).length;
  const ofRepository = ({ line }: InLine): number =>
    under.filter((other) => other.line.repository === line.repository).length;
  const servedAt = ({ line }: InLine): number => model.served.get(line.installation) ?? 0;
  return inLines(model)
    .filter(({ status, admitted, dueAt }) => status === "queued" && !admitted && dueAt <= now)
    .filter((thread) => ofInstallation(thread) < limits.perInstallation)
    .filter((thread) => ofRepository(thread) < limits.perRepository)
    .toSorted((a, b) => ofInstallation(a) - ofInstallation(b) || servedAt(a) - servedAt(b) || byAge(a, b))[0];
};
