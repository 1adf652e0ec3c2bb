import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoadWorker } from "./load-worker.ts";

/** A step that a worker's agent was asked for; `at` in milliseconds, on this process's clock. */
export type Asked = { thread: string; step: number; at: number };

export type LoadWorkers = {
  pids: readonly number[];
  /** Every step asked for so far, as the workers told of them. */
  asked: readonly Asked[];
  /** Resolves when so many steps were asked for. */
  reached(steps: number): Promise<void>;
  stop(): Promise<void>;
};

const program = fileURLToPath(new URL("load-worker.ts", import.meta.url));

/** Starts worker processes, and lets them begin together when all of them are there. */
export const loadWorkers = async (count: number, options: LoadWorker): Promise<LoadWorkers> => {
  const asked: Asked[] = [];
  const waiting = new Set<() => void>();
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const failed = Promise.race(children.map(ending));
  failed.catch(() => undefined);
  const ready = children.map((child) => {
    const lines = createInterface({ input: child.stdout });
    const first = once(lines, "line");
    lines.on("line", (line) => {
      const [thread = "", step] = line.split(" ");
      if (step === undefined) return;
      asked.push({ thread, step: Number(step), at: performance.now() });
      for (const look of waiting) look();
    });
    return first;
  });
  await Promise.race([Promise.all(ready), failed]);
  for (const { stdin } of children) stdin.write("go\n");
  return {
    pids: children.map(({ pid }) => pid ?? 0),
    asked,
    reached: (steps) => {
      const reached = new Promise<void>((done) => {
        const look = () => {
          if (asked.length < steps) return;
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        look();
      });
      return Promise.race([reached, failed]);
    },
    stop: async () => {
      await Promise.all(children.map(stopped));
    },
  };
};

const ending = async (child: ChildProcess): Promise<never> => {
  const [code, signal] = await once(child, "exit");
  throw new Error(`a worker of the bench ended with ${code ?? signal}`);
};

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
};
