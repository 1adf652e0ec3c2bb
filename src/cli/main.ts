import { fileFailure } from "../base/file-failure.ts";
import type { Redact } from "../base/redact.ts";
import { runCommandLine } from "./command-line.ts";
import type { Context, Output } from "./context.ts";
import { exitCodes } from "./exit-code.ts";

/** The program: `process` in, exit code out. The only place that ends the process. */
export const runProgram = async (): Promise<void> => {
  const interrupts = { watched: false };
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // What else goes wrong is told at the end: a thread that runs is not stopped by it.
      if (error.code !== "EPIPE") return;
      // The reader has seen enough. A thread that runs goes on all the same.
      if (!interrupts.watched) process.exit(exitCodes.done);
    });
  const context: Context = {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    now: Date.now,
    interruption: (onInterrupt) => {
      interrupts.watched = true;
      return interruption(onInterrupt);
    },
    hide: ({ redact }) => {
      for (const stream of [process.stdout, process.stderr]) hideIn(stream, redact);
    },
  };
  const code = await runCommandLine(process.argv.slice(2), context);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // Idle connections to a model's server would keep the process for seconds.
  process.exit(lostOutput() ? exitCodes.failed : code);
};

/** A disk that is full: what was printed is not all there, and whoever reads it must not take it for whole. */
const lostOutput = (): boolean => {
  const { errored } = process.stdout;
  if (errored === null || (errored as NodeJS.ErrnoException).code === "EPIPE") return false;
  process.stderr.write(`error: the output could not be written: ${fileFailure(errored, "write")}\n`);
  return true;
};

/** Whoever writes there: libraries say what they send when `DEBUG` asks them to. */
const hideIn = (stream: NodeJS.WriteStream, redact: Redact): void => {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === "string" ? redact(chunk) : chunk, ...rest);
};

const outputOf = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => {
    if (!stream.destroyed && !stream.writableEnded) stream.write(text);
  },
  isTerminal: stream.isTTY === true,
  columns: () => stream.columns ?? 0,
});

const interruption = (onInterrupt: () => void): AbortSignal => {
  const controller = new AbortController();
  const interrupted = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    onInterrupt();
    controller.abort();
  };
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);
  return controller.signal;
};

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((done) => {
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write("", () => done());
  });
