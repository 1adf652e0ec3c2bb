import type { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import type Docker from "dockerode";
import type { Container, ContainerAttachOptions, ContainerCreateOptions } from "dockerode";
import { feed } from "../feed.ts";
import { outputBuffer } from "../output-buffer.ts";
import type { CommandResult, SandboxCommand } from "../sandbox.ts";
import { answered, WORK_MS } from "./answered.ts";
import { endOf } from "./container-end.ts";
import { demultiplexer } from "./multiplexed.ts";
import type { Removal } from "./removal.ts";

/** Beyond this, output is read slowly so that a flood costs the other threads nothing. */
const FLOOD_BYTES = 16 * 1024 * 1024;
const STREAM_GRACE_MS = 2_000;

export type ContainerResult = CommandResult & {
  ranOutOfMemory: boolean;
  /** A connection to the engine broke: output may be missing. */
  interrupted: boolean;
};

type Parts = {
  docker: Docker;
  removal: Removal;
  /** Ends the command as well; its output is answered. */
  limit: AbortSignal;
  /** How long the engine may fail before the command is given up, in milliseconds. */
  patienceMs: number;
};

/**
 * Makes a container, runs it to its end and removes it, which ends every process that it has. Rejects with the signal's
 * reason when cancelled, and with what the engine says.
 */
export const runContainer = async (
  options: ContainerCreateOptions,
  command: SandboxCommand,
  { docker, removal, ...parts }: Parts,
): Promise<ContainerResult> => {
  const { signal } = command;
  signal.throwIfAborted();
  const started = performance.now();
  await removal.again();
  const container = await answered(
    (abortSignal) => docker.createContainer({ ...options, abortSignal }),
    WORK_MS,
  );
  try {
    signal.throwIfAborted();
    const result = await runToEnd(container, command, parts);
    signal.throwIfAborted();
    return { ...result, ms: Math.round(performance.now() - started) };
  } finally {
    await removal.remove(container.id);
  }
};

const runToEnd = async (
  container: Container,
  command: SandboxCommand,
  { limit, patienceMs }: Pick<Parts, "limit" | "patienceMs">,
): Promise<Omit<ContainerResult, "ms">> => {
  const { stdin, signal, timeoutMs, maxOutputBytes } = command;
  const buffer = outputBuffer(maxOutputBytes);
  const timeout = new AbortController();
  const streams: Duplex[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    const output = await attach(container, { stdout: true, stderr: true });
    streams.push(output);
    const whole = collect(output, { ...command, push: buffer.push, total: buffer.total });
    // By a connection of its own: what breaks when a program ends without reading all of it is not its output's.
    const input = stdin === undefined ? null : await attach(container, { stdin: true });
    if (input !== null) streams.push(input);
    await answered((abortSignal) => container.start({ abortSignal }), WORK_MS);
    if (stdin !== undefined) feed(input, stdin);
    timer = setTimeout(() => timeout.abort(), timeoutMs);
    const stop = AbortSignal.any([signal, limit, timeout.signal]);
    const { exitCode, interrupted, ranOutOfMemory } = await endOf(container, { stop, patienceMs });
    const timedOut = timeout.signal.aborted;
    const heard = await Promise.race([whole, delay(STREAM_GRACE_MS).then(() => false)]);
    return {
      exitCode: timedOut ? null : exitCode,
      timedOut,
      ...buffer.text(),
      ranOutOfMemory,
      interrupted: interrupted || !heard,
    };
  } finally {
    clearTimeout(timer);
    for (const stream of streams) stream.destroy();
  }
};

const attach = async (container: Container, which: ContainerAttachOptions): Promise<Duplex> => {
  const attaching = container.attach({ stream: true, hijack: true, ...which }) as Promise<Duplex>;
  const stream = await answered(() => attaching).catch((error: unknown) => {
    // One that comes too late is nobody's.
    attaching.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw error;
  });
  // Whoever reads it is told as well.
  return stream.on("error", () => undefined);
};

type Collected = Pick<SandboxCommand, "onOutput" | "onError"> & {
  push(bytes: Buffer): void;
  total(): number;
};

/** Resolves when the stream is over: true when it came to its end. */
const collect = (stream: Duplex, { onOutput, onError, push, total }: Collected): Promise<boolean> => {
  const [out, err] = [new StringDecoder("utf8"), new StringDecoder("utf8")];
  const feedFrames = demultiplexer({
    stdout: (bytes) => {
      push(bytes);
      onOutput?.(out.write(bytes));
    },
    stderr: (bytes) => onError?.(err.write(bytes)),
  });
  stream.on("data", (chunk: Buffer) => {
    feedFrames(chunk);
    if (total() < FLOOD_BYTES) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1);
  });
  return finished(stream, { writable: false }).then(
    () => true,
    () => false,
  );
};

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
