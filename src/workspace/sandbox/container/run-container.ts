import { once } from "node:events";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type Docker from "dockerode";
import type { Container, ContainerCreateOptions } from "dockerode";
import { outputBuffer } from "../output-buffer.ts";
import type { CommandResult, SandboxCommand } from "../sandbox.ts";
import { demultiplexer } from "./multiplexed.ts";

/** Beyond this, output is read slowly so that a flood costs the other threads nothing. */
const FLOOD_BYTES = 16 * 1024 * 1024;
const STREAM_GRACE_MS = 2_000;

export type ContainerResult = CommandResult & { ranOutOfMemory: boolean };

/**
 * Makes a container, runs it to its end and removes it, which ends every process that it has. Rejects with the signal's
 * reason when cancelled, and with what the engine says. `limit` ends it as well, and its output is answered.
 */
export const runContainer = async (
  docker: Docker,
  options: ContainerCreateOptions,
  command: SandboxCommand,
  limit: AbortSignal,
): Promise<ContainerResult> => {
  const { signal } = command;
  signal.throwIfAborted();
  const started = performance.now();
  const container = await docker.createContainer(options);
  try {
    signal.throwIfAborted();
    const result = await runToEnd(container, command, limit);
    signal.throwIfAborted();
    return { ...result, ms: Math.round(performance.now() - started) };
  } finally {
    await container.remove({ force: true, v: true });
  }
};

const runToEnd = async (
  container: Container,
  command: SandboxCommand,
  limit: AbortSignal,
): Promise<Omit<ContainerResult, "ms">> => {
  const { stdin, signal, timeoutMs, maxOutputBytes } = command;
  const stream = await container.attach({
    ...{ stream: true, stdout: true, stderr: true, hijack: true },
    stdin: stdin !== undefined,
  });
  const buffer = outputBuffer(maxOutputBytes);
  const closed = once(stream, "close");
  collect(stream, { ...command, push: buffer.push, total: buffer.total });
  await container.start();
  feed(stream, stdin);

  let timedOut = false;
  const kill = (): void => void container.kill().catch(unlessEnded);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  const stops = [signal, limit];
  for (const each of stops) each.addEventListener("abort", kill, { once: true });
  if (stops.some(({ aborted }) => aborted)) kill();
  try {
    const { StatusCode } = (await container.wait()) as { StatusCode: number };
    await Promise.race([closed, delay(STREAM_GRACE_MS)]);
    const { State } = await container.inspect();
    return {
      exitCode: timedOut ? null : StatusCode,
      timedOut,
      ...buffer.text(),
      ranOutOfMemory: State.OOMKilled,
    };
  } finally {
    clearTimeout(timer);
    for (const each of stops) each.removeEventListener("abort", kill);
    (stream as unknown as Readable).destroy();
  }
};

type Collected = Pick<SandboxCommand, "onOutput" | "onError"> & {
  push(bytes: Buffer): void;
  total(): number;
};

const collect = (stream: NodeJS.ReadWriteStream, { onOutput, onError, push, total }: Collected): void => {
  const [out, err] = [new StringDecoder("utf8"), new StringDecoder("utf8")];
  const feedFrames = demultiplexer({
    stdout: (bytes) => {
      push(bytes);
      onOutput?.(out.write(bytes));
    },
    stderr: (bytes) => onError?.(err.write(bytes)),
  });
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    feedFrames(chunk);
    if (total() < FLOOD_BYTES) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1);
  });
};

const feed = (stream: NodeJS.ReadWriteStream, given: string | Readable | undefined): void => {
  if (given === undefined) return;
  if (given instanceof Readable) given.pipe(stream);
  else stream.end(given);
};

/** One that has ended already, or is removed, needs no end. */
const unlessEnded = (error: unknown): void => {
  if (![404, 409].includes((error as { statusCode?: number }).statusCode ?? 0)) throw error;
};

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
