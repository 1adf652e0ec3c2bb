/** One finished call as the guard sees it. Equal keys: the same call with the same result. */
export type GuardedCall = { key: string; effect: "read" | "write"; ok: boolean };

/** What a reply's calls came to. After a compaction results are gone, and calling again is right. */
export type GuardedRound = { calls: readonly GuardedCall[]; compacted: boolean };

export type Repetition = { kind: "none" } | { kind: "warn"; key: string } | { kind: "stop"; key: string };

const WARN_AT = 3;
const STOP_AT = 5;
const CYCLES = 3;

/**
 * Whether the last round shows that the model goes round in circles: the same call with the same result for the
 * third time is worth a warning; for the fifth time, or after three A-B cycles, it is time to end. A change that
 * took effect in between makes repeating sensible and starts the count anew.
 */
export const repetition = (rounds: readonly GuardedRound[]): Repetition => {
  let counts = new Map<string, number>();
  let trail: string[] = [];
  let risen: string[] = [];
  for (const round of rounds) {
    risen = [];
    for (const call of round.calls) {
      if (call.effect === "write" && call.ok) counts = only(counts, call.key);
      if (risen.includes(call.key)) continue;
      counts.set(call.key, (counts.get(call.key) ?? 0) + 1);
      risen.push(call.key);
      trail.push(call.key);
    }
    if (round.compacted) {
      counts = new Map();
      trail = [];
      risen = [];
    }
  }
  const stuck = risen.find((key) => (counts.get(key) ?? 0) >= STOP_AT);
  if (stuck !== undefined) return { kind: "stop", key: stuck };
  if (risen.length > 0 && isCycle(trail)) return { kind: "stop", key: trail.at(-1) ?? "" };
  const repeated = risen.find((key) => counts.get(key) === WARN_AT);
  return repeated === undefined ? { kind: "none" } : { kind: "warn", key: repeated };
};

const only = (counts: ReadonlyMap<string, number>, key: string): Map<string, number> =>
  new Map([...counts].filter(([other]) => other === key));

const isCycle = (trail: readonly string[]): boolean => {
  const last = trail.slice(-2 * CYCLES);
  return (
    last.length === 2 * CYCLES && last[0] !== last[1] && last.every((key, index) => key === last[index % 2])
  );
};
