import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Program = {
  argv: readonly string[];
  cwd?: string;
  env: Readonly<Record<string, string>>;
  input: Uint8Array;
};
/** `code`: null when a signal ended it. */
export type Ended = { code: number | null; stdout: Uint8Array; stderr: Uint8Array };
export type Question = { id: number; program: Program };
export type Answer = { id: number } & ({ ended: Ended } | { failed: string });

const file = fileURLToPath(new URL("./small-process-child.ts", import.meta.url));

const waiting = new Map<number, { resolve(ended: Ended): void; reject(error: Error): void }>();
let helper: ChildProcess | undefined;
let count = 0;

/**
 * Runs a program from another process, which is small: to start one takes a copy of the page tables of whoever starts it, and those of
 * a process that runs tests take ten milliseconds. Throws when the program cannot be started.
 */
export const runFromSmallProcess = (program: Program): Promise<Ended> => {
  helper ??= start();
  const { channel } = helper;
  const id = count++;
  const question: Question = { id, program };
  channel?.ref();
  const ended = new Promise<Ended>((resolve, reject) => waiting.set(id, { resolve, reject }));
  helper.send(question);
  return ended;
};

/** It ends with this process, and keeps it alive only while a program runs. */
const start = (): ChildProcess => {
  const child = fork(file, { serialization: "advanced", execArgv: [] });
  child.on("message", (answer: Answer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) child.channel?.unref();
    if ("ended" in answer) asked?.resolve(answer.ended);
    else asked?.reject(new Error(answer.failed));
  });
  child.once("exit", () => {
    helper = undefined;
    for (const { reject } of waiting.values()) reject(new Error("the process that runs programs has ended"));
    waiting.clear();
  });
  child.unref();
  return child;
};
