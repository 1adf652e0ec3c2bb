import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";

/** Whether the process can do its work now, part by part. */
export interface Readiness {
  report(): Promise<ReadinessReport>;
  /** From now on the process takes nothing new. */
  stop(): void;
}

export type ReadinessReport = {
  status: "ready" | "not-ready" | "stopping";
  /** `ok`, or why not, in words that strangers may read. */
  parts: Readonly<Record<string, string>>;
};

export type ReadinessOptions = {
  log: Log;
  /** Milliseconds that a part may take to answer. */
  limitMs?: number;
  /** Milliseconds for which an answer holds, however often it is asked for. */
  validMs?: number;
  now?: () => number;
};

/** An answer that holds until a clock set back has caught up would be an old one. */
const monotonic = (): number => performance.now();

/** Asks every part at once. A part is ready when its check resolves. */
export const readinessOf = (
  parts: Readonly<Record<string, () => Promise<void>>>,
  { log, limitMs = 2_000, validMs = 1_000, now = monotonic }: ReadinessOptions,
): Readiness => {
  let stopping = false;
  let asked: { at: number; parts: Promise<Record<string, string>> } | null = null;
  const said = new Map<string, string>();

  const check = async (name: string, ready: () => Promise<void>): Promise<string> => {
    const state = await stateOf(ready, limitMs);
    const before = said.get(name) ?? "ok";
    said.set(name, state.word);
    if (state.word !== "ok" && state.word !== before)
      log.warn({ part: name, ...state }, "a part is not ready");
    if (state.word === "ok" && before !== "ok") log.info({ part: name }, "a part is ready again");
    return state.word;
  };
  const checkAll = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(parts).map(async ([name, ready]) => [name, await check(name, ready)] as const),
      ),
    );

  return {
    report: async () => {
      if (asked === null || asked.at + validMs <= now()) asked = { at: now(), parts: checkAll() };
      const found = await asked.parts;
      if (stopping) return { status: "stopping", parts: found };
      const isReady = Object.values(found).every((word) => word === "ok");
      return { status: isReady ? "ready" : "not-ready", parts: found };
    },
    stop: () => {
      stopping = true;
    },
  };
};

/** The same check, asked anew only when its last success is older than `ms`: for checks that cost. */
export const heldFor = (
  ms: number,
  check: () => Promise<void>,
  { now = monotonic }: { now?: () => number } = {},
): (() => Promise<void>) => {
  let succeededAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (succeededAt + ms > now()) return;
    await check();
    succeededAt = now();
  };
};

/** The word is for strangers: a code and nothing of its text, which may hold hosts and paths. The log has the rest. */
const stateOf = async (
  ready: () => Promise<void>,
  limitMs: number,
): Promise<{ word: string; error?: string }> => {
  const late = new AbortController();
  try {
    return await Promise.race([
      ready().then(() => ({ word: "ok" })),
      sleep(limitMs, { word: `no answer within ${limitMs / 1000} s` }, { signal: late.signal }),
    ]);
  } catch (error) {
    return { word: error instanceof AppError ? error.code : "failed", error: messageOf(error) };
  } finally {
    late.abort();
  }
};
