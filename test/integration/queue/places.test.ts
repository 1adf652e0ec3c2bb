import { afterEach, describe, expect, it, vi } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { workerPlaces } from "../../../src/queue/places.ts";

const HOUR = 3_600_000;

describe("the places of a worker", () => {
  afterEach(() => void vi.useRealTimers());

  const newPlaces = () => {
    const beats: string[] = [];
    const store = {
      pendingDeliveries: async () => [],
      admit: async () => [],
      thread: async () => undefined,
      beat: async (worker: string) => void beats.push(worker),
      retire: async () => undefined,
    };
    return { beats, places: workerPlaces(store, { places: 2, log: silentLog }) };
  };

  it("are told again after some seconds, also when the clock was set back by an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { beats, places } = newPlaces();
    await places.keep();
    vi.setSystemTime(Date.now() - HOUR);

    const keptUp = () => places.keep().then(() => beats.length);

    await expect.poll(keptUp, { timeout: 30_000 }).toBe(2);
  });
});
