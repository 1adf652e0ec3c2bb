import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atMost, type Row } from "./measurement.ts";
import { inTemporaryDirectory } from "./temporary-directory.ts";

const program = fileURLToPath(new URL("../bin/uwf.js", import.meta.url));

const IDLE_MS = 10_000;
const START_MS = 30_000;

/** Resident memory of `uwf start` ten seconds after it began to listen, with no webhook so far. */
export const idleBot = (): Promise<Row[]> =>
  inTemporaryDirectory(async (root) => {
    const bot = spawn(process.execPath, [program, "start", "--unsafe-no-sandbox"], {
      env: { ...process.env, ...(await configuration()), UWF_STORAGE_ROOT: root },
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      await listening(bot);
      await setTimeout(IDLE_MS);
      const megabytes = (await residentKilobytes(bot)) / 1024;
      return [
        {
          measured: `Memory of an idle bot after ${IDLE_MS / 1000} s`,
          uwf: `${Math.round(megabytes)} MB`,
          beside: "",
          result: `${Math.round(megabytes)} MB`,
          goal: atMost(megabytes, 150, "150 MB"),
        },
      ];
    } finally {
      await stopped(bot);
    }
  });

/** A GitHub App that does not exist: an idle bot asks nothing of GitHub. */
const configuration = async (): Promise<Record<string, string>> => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return {
    GITHUB_APP_ID: "1",
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_WEBHOOK_SECRET: "a secret of the bench alone",
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    LOG_LEVEL: "error",
  };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
};

/** Resolves when the bot says that it listens. */
const listening = async ({ stdout, stderr }: ChildProcess): Promise<void> => {
  if (stdout === null || stderr === null) throw new Error("the bot has no output");
  const lines = createInterface({ input: stdout });
  let complaints = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const ended = once(lines, "close").then(() => {
    throw new Error(`the bot ended before it listened:\n${complaints}`);
  });
  const said = new Promise<void>((done) => {
    lines.on("line", (line) => {
      if (line.includes("listens")) done();
    });
  });
  const late = setTimeout(START_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the bot did not listen within ${START_MS / 1000} s`);
  });
  await Promise.race([said, ended, late]);
  for (const one of [ended, late]) one.catch(() => undefined);
};

/** `VmRSS` of proc(5). */
const residentKilobytes = async ({ pid }: ChildProcess): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (found === undefined) throw new Error("the bot's memory cannot be read");
  return Number(found);
};

const stopped = async (bot: ChildProcess): Promise<void> => {
  if (bot.exitCode !== null || bot.signalCode !== null) return;
  const ended = once(bot, "exit");
  bot.kill("SIGTERM");
  await ended;
};
