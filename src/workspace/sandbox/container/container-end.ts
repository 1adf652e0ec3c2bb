import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Container, ContainerInspectInfo } from "dockerode";
import { answered } from "./answered.ts";
import { isStatus } from "./removal.ts";

export type ContainerEnd = {
  exitCode: number;
  ranOutOfMemory: boolean;
  /** The engine could not be heard at times: what the container wrote then may be lost. */
  interrupted: boolean;
};

type Asked = {
  /** From when it fires on, the container is killed, again until it has ended. */
  stop: AbortSignal;
  /** How long the engine may fail, or not end what it shall, in milliseconds. */
  patienceMs: number;
};

type State = ContainerInspectInfo["State"];

const RETRY_MS = 200;
const ENDING_MS = 1_000;

/** Waits until a container has ended. Rejects with the engine's last failure when its patience is over. */
export const endOf = async (container: Container, { stop, patienceMs }: Asked): Promise<ContainerEnd> => {
  let failingSince: number | null = null;
  let interrupted = false;
  const unheard = (): void => {
    interrupted = true;
  };
  for (;;) {
    try {
      const ended = await look(container, { stop, unheard });
      if (ended !== null) return { exitCode: ended.ExitCode, ranOutOfMemory: ended.OOMKilled, interrupted };
      failingSince = null;
    } catch (error) {
      failingSince ??= performance.now();
      if (performance.now() - failingSince > patienceMs || isGone(error)) throw error;
      await pause(RETRY_MS);
    }
  }
};

/** The state that it ended in; null when it runs, as it may. Throws what keeps it from its end. */
const look = async (
  container: Container,
  { stop, unheard }: { stop: AbortSignal; unheard(): void },
): Promise<State | null> => {
  const killed = stop.aborted ? await kill(container) : null;
  try {
    await change(container, stop);
  } catch (error) {
    unheard();
    throw error;
  }
  const { State } = await answered((abortSignal) => container.inspect({ abortSignal }));
  if (!State.Running) return State;
  if (killed !== null) throw killed.refusal ?? new Error("a container that was killed runs on");
  return null;
};

const kill = async (container: Container): Promise<{ refusal: unknown }> => {
  try {
    await answered((abortSignal) => container.kill({ abortSignal }));
    return { refusal: null };
  } catch (refusal) {
    return { refusal };
  }
};

/** Waits until the container ends or is to be stopped; when it is already, for a moment. */
const change = async (container: Container, stop: AbortSignal): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([
      ended(container, signal),
      stop.aborted ? passed(ENDING_MS, signal) : fired(stop, signal),
    ]);
  } finally {
    over.abort();
  }
};

/** As `container.wait`, which is never told when its connection breaks. */
const ended = (container: Container, abortSignal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = { path: `/containers/${container.id}/wait`, method: "POST", isStream: true, abortSignal };
    const statusCodes = { 200: true, 404: "no such container", 500: "server error" };
    container.modem.dial({ ...asked, statusCodes }, (error: unknown, answer: Readable) => {
      if (error) reject(error);
      else finished(answer.resume()).then(resolve, reject);
    });
  });

const passed = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

const fired = (stop: AbortSignal, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    stop.addEventListener("abort", () => resolve(), { once: true, signal });
  });

const isGone = (error: unknown): boolean => isStatus(error, 404);
