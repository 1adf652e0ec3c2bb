import type { Drift, Remark, ReplayedStep, ReplayPlace } from "./drift.ts";
import type { Heard } from "./replay-turns.ts";

/** Gathers what is told of one step. */
export const hearing = (place: ReplayPlace, child: Heard["child"]) => {
  const startedAt = performance.now();
  const drift: Drift[] = [];
  const remarks: Remark[] = [];
  let calls = 0;
  let unsure: string | null | undefined;
  const heard: Heard = {
    drift: (kind, what, { call = null, diff = [] } = {}) => {
      if (unsure === undefined || kind === "decision" || kind === "output")
        drift.push({ ...place, kind, what, call, diff });
      else if (unsure !== null)
        remarks.push({ ...place, call, what: `not judged, because ${unsure}: ${what}` });
    },
    remark: (what, call) => remarks.push({ ...place, call: call ?? null, what }),
    ran: () => {
      calls++;
    },
    unsure: (why) => {
      unsure = why;
    },
    child,
  };
  return {
    heard,
    done: (finished: boolean): ReplayedStep => ({
      ...place,
      finished,
      calls,
      drift,
      remarks,
      ms: Math.round(performance.now() - startedAt),
    }),
  };
};

export type Hearing = ReturnType<typeof hearing>;
