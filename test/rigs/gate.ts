import { setTimeout } from "node:timers/promises";

/** How what arrives goes on: at once, `ms` later, or not before the next mode. */
export type GateMode = { kind: "open" } | { kind: "slow"; ms: number } | { kind: "shut" };

export type Gate = {
  set(mode: GateMode): void;
  /** Waits as long as the mode says, also when it changes meanwhile. */
  passed(): Promise<void>;
};

export const newGate = (): Gate => {
  let mode: GateMode = { kind: "open" };
  let changed = Promise.withResolvers<void>();
  return {
    set: (next) => {
      mode = next;
      changed.resolve();
      changed = Promise.withResolvers();
    },
    passed: async () => {
      for (;;) {
        const { promise } = changed;
        switch (mode.kind) {
          case "open":
            return;
          case "slow":
            if ((await Promise.race([promise, setTimeout(mode.ms, "waited")])) === "waited") return;
            break;
          case "shut":
            await promise;
        }
      }
    },
  };
};
