import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { residentMegabytes } from "./process-figures.ts";

const program = fileURLToPath(new URL("../bin/uwf.js", import.meta.url));

const START_MS = 30_000;

export const WEBHOOK_SECRET = "a secret of the bench alone";

/** A `uwf` that serves until it is stopped. */
export type UwfProcess = {
  pid: number;
  /** The line that said that it is ready. */
  said: string;
  megabytes(): Promise<number>;
  /** Waits until it has finished what it does. */
  stop(): Promise<void>;
  kill(): Promise<void>;
};

/** Starts `uwf` and resolves when its output has a line with `ready`. No settings of this process reach it. */
export const uwfProcess = async (
  args: readonly string[],
  { env, ready }: { env: NodeJS.ProcessEnv; ready: string },
): Promise<UwfProcess> => {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => ended(child, "SIGTERM");
  const kill = () => ended(child, "SIGKILL");
  try {
    const said = await saying(child, ready);
    const pid = child.pid ?? 0;
    return { pid, said, megabytes: () => residentMegabytes(pid), stop, kill };
  } catch (error) {
    await kill();
    throw error;
  }
};

/** A GitHub App that does not exist: an idle bot asks nothing of GitHub. */
export const githubApp = (): Record<string, string> => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return {
    GITHUB_APP_ID: "1",
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
};

const saying = async ({ stdout, stderr }: ChildProcess, ready: string): Promise<string> => {
  if (stdout === null || stderr === null) throw new Error("the process has no output");
  const lines = createInterface({ input: stdout });
  let complaints = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-20_000);
  });
  const closed = once(lines, "close").then((): never => {
    throw new Error(`uwf ended before it said "${ready}":\n${complaints}`);
  });
  const said = new Promise<string>((done) => {
    lines.on("line", (line) => {
      if (line.includes(ready)) done(line);
    });
  });
  const late = setTimeout(START_MS, undefined, { ref: false }).then((): never => {
    throw new Error(`uwf did not say "${ready}" within ${START_MS / 1000} s:\n${complaints}`);
  });
  for (const one of [closed, late]) one.catch(() => undefined);
  return Promise.race([said, closed, late]);
};

const ended = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
};
