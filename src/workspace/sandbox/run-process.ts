import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { feed } from "./feed.ts";
import { type Input, openInput } from "./input.ts";
import { type OutputBuffer, outputBuffer } from "./output-buffer.ts";
import type { CommandResult, SandboxCommand } from "./sandbox.ts";

/** A program to start, and how to end everything that came of it. */
export type Launch = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** What the program reads from file descriptors 4 and up, in order. */
  inputs: readonly Input[];
  /** Descriptors of this process that the program must not get; see `inheritedDescriptors`. */
  withheld: readonly number[];
  /** Each line that the program writes to file descriptor 3. */
  onStatus: (line: string) => void;
  /** Ends the command itself; called on time-out and cancellation. */
  stop: (pid: number) => void;
  /** Called once the program has ended: nothing that it started may be alive afterwards. */
  sweep: (pid: number) => Promise<void>;
  /** Ends the command when it fires; unlike the cancellation of the command, its output is answered. */
  limit?: AbortSignal;
};

export type Finished = CommandResult & {
  signal: NodeJS.Signals | null;
  /** The launcher's own standard error: the command's is in `output`, unless it is taken apart. */
  launcherErrors: string;
};

type Limits = Pick<
  SandboxCommand,
  "timeoutMs" | "maxOutputBytes" | "signal" | "stdin" | "onOutput" | "onError"
>;

/** Beyond this, output is read slowly so that a flood costs the other threads nothing. */
const FLOOD_BYTES = 16 * 1024 * 1024;
const PIPE_GRACE_MS = 2_000;

/** What a shell puts before a command so that both streams come through one pipe, in order. */
export const mergeStreams = (argv: readonly string[]): string[] => [
  "/bin/sh",
  "-c",
  'exec "$@" 2>&1',
  "sh",
  ...argv,
];

/** Starts the program in a session of its own, collects its output and ends it in time. Rejects when cancelled. */
export const runProcess = async (launch: Launch, limits: Limits): Promise<Finished> => {
  limits.signal.throwIfAborted();
  const started = performance.now();
  const child = start(launch, limits);
  const buffer = outputBuffer(limits.maxOutputBytes);
  const launcher = outputBuffer(16 * 1024);
  collect(child.stdout, buffer, limits.onOutput);
  collect(child.stderr, launcher, limits.onError);
  readLines(child.stdio[3] as Readable, launch.onStatus);
  launch.inputs.forEach((input, index) => {
    if (input.kind === "pipe") feed(child.stdio[4 + index] as Writable, input.bytes);
  });
  feed(child.stdin, limits.stdin ?? "");

  const ended = await waitFor(child, launch, limits);
  limits.signal.throwIfAborted();
  return {
    ...ended,
    ...buffer.text(),
    launcherErrors: launcher.text().output.trim(),
    ms: Math.round(performance.now() - started),
  };
};

const start = (launch: Launch, { stdin }: Limits): ChildProcess => {
  const [program = "", ...args] = launch.argv;
  const options = { cwd: launch.cwd, env: { ...launch.env }, detached: true };
  const opened: number[] = [];
  const open = (input: Exclude<Input, { kind: "pipe" }>): number => {
    const fd = openInput(input);
    opened.push(fd);
    return fd;
  };
  try {
    const own: ("ignore" | "pipe" | number)[] = [
      stdin === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      "pipe",
      ...launch.inputs.map((input) => (input.kind === "pipe" ? "pipe" : open(input))),
    ];
    const withheld = launch.withheld.filter((fd) => fd >= own.length);
    if (withheld.length === 0) return spawn(program, args, { ...options, stdio: own });
    // Beyond the standard three, "ignore" leaves a descriptor as it is: only another file in its place removes it.
    const nothing = open({ kind: "file", path: "/dev/null" });
    const length = Math.max(...withheld) + 1 - own.length;
    const rest = Array.from({ length }, (_, index) =>
      withheld.includes(index + own.length) ? nothing : ("ignore" as const),
    );
    return spawn(program, args, { ...options, stdio: [...own, ...rest] });
  } finally {
    for (const fd of opened) closeSync(fd);
  }
};

const waitFor = async (
  child: ChildProcess,
  launch: Launch,
  limits: Limits,
): Promise<Pick<Finished, "exitCode" | "signal" | "timedOut">> => {
  // A program that cannot be started rejects both waits; the one for its exit reports it.
  const closed = once(child, "close").catch(() => undefined);
  let timedOut = false;
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      launch.stop(child.pid);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, limits.timeoutMs);
  const stops = [limits.signal, ...(launch.limit === undefined ? [] : [launch.limit])];
  for (const signal of stops) signal.addEventListener("abort", stop, { once: true });
  if (stops.some(({ aborted }) => aborted)) stop();
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    if (child.pid !== undefined) await launch.sweep(child.pid);
    await Promise.race([closed, delay(PIPE_GRACE_MS)]);
    return { exitCode: timedOut ? null : code, signal, timedOut };
  } finally {
    clearTimeout(timer);
    for (const signal of stops) signal.removeEventListener("abort", stop);
    for (const stream of child.stdio) stream?.destroy();
  }
};

const collect = (
  stream: Readable | null,
  buffer: OutputBuffer,
  onOutput: ((chunk: string) => void) | undefined,
): void => {
  if (stream === null) return;
  const decoder = new StringDecoder("utf8");
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    buffer.push(chunk);
    onOutput?.(decoder.write(chunk));
    if (buffer.total() < FLOOD_BYTES) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1);
  });
};

const readLines = (stream: Readable, onLine: (line: string) => void): void => {
  let rest = "";
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
};

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
