import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type UwfChild, uwfChild } from "../../fixtures/uwf-child.ts";
import type { NetworkNamespace } from "../network-namespace.ts";
import { type TcpProxy, tcpProxy } from "../tcp-proxy.ts";

export const serviceNames = ["postgres", "redis", "github", "model"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A process of the program with a storage root, and a way of its own to every server. */
export type Machine = {
  name: string;
  /** Where it listens. */
  url: string;
  storage: string;
  sandbox: "none" | "bubblewrap";
  pid: number;
  output(): string;
  isUp(): boolean;
  /** The exit code; null when a signal ended it. */
  ended: Promise<number | null>;
  /** The ways to its servers, to be cut, slowed or listened to. */
  ways: Readonly<Record<ServiceName, TcpProxy>>;
  signal(signal: NodeJS.Signals): void;
  /** `kill -9`, and waits for its end. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for its end; answers the exit code. */
  drain(): Promise<number | null>;
  dispose(): Promise<void>;
};

export type MachineOptions = {
  name: string;
  kind: "start" | "worker";
  /** Threads at once. */
  threads: number;
  /** An absolute path. Two processes, one after the other, may have the same. */
  storage: string;
  /** Where the servers are: URLs. */
  servers: Readonly<Record<ServiceName, string>>;
  env: Readonly<Record<string, string>>;
  /** `config.yaml` */
  config: string;
  /** Default: none. */
  sandbox?: "none" | "bubblewrap" | undefined;
  /** The host that it runs on; default: this one. */
  host?: NetworkNamespace | undefined;
  /** A process that has ended, whose ways it goes on with: its addresses stay. Default: ways of its own. */
  after?: Machine | undefined;
};

/** Starts the process, and waits until it serves. */
export const startMachine = async (options: MachineOptions): Promise<Machine> => {
  const { name, kind, storage, threads, host, sandbox = "none" } = options;
  mkdirSync(storage, { recursive: true, mode: 0o700 });
  writeFileSync(join(storage, "config.yaml"), options.config, { mode: 0o600 });
  const ways = options.after?.ways ?? (await waysTo(options));
  const args = [kind, "--threads", String(threads), ...(sandbox === "none" ? ["--unsafe-no-sandbox"] : [])];
  const child = uwfChild(args, environmentOf(options, ways), host === undefined ? {} : { spawn: host.spawn });
  const isUp = () => child.process.exitCode === null && child.process.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.process.kill(signal);
    return child.ended;
  };
  return {
    ...{ name, storage, sandbox, ways, isUp },
    url: await addressOf(child, name),
    pid: child.process.pid ?? 0,
    output: child.output,
    ended: child.ended,
    signal: (signal) => void child.process.kill(signal),
    kill: async () => void (await end("SIGKILL")),
    drain: () => end("SIGTERM"),
    dispose: async () => {
      await end("SIGKILL");
      await Promise.all(Object.values(ways).map((way) => way.close()));
    },
  };
};

const waysTo = async ({ servers, host }: MachineOptions): Promise<Record<ServiceName, TcpProxy>> => {
  const way = (service: ServiceName) =>
    tcpProxy(servers[service], host === undefined ? {} : { listenOn: host.hostAddress });
  return {
    postgres: await way("postgres"),
    redis: await way("redis"),
    github: await way("github"),
    model: await way("model"),
  };
};

const environmentOf = (
  { servers, storage, env }: MachineOptions,
  ways: Readonly<Record<ServiceName, TcpProxy>>,
): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: storage,
  UWF_STORAGE_ROOT: storage,
  DATABASE_URL: ways.postgres.url(servers.postgres),
  REDIS_URL: ways.redis.url(servers.redis),
  OPENAI_BASE_URL: ways.model.url(servers.model),
  OPENAI_API_KEY: "sk-of-a-scripted-model",
  OPENAI_MODEL: "scripted",
  HOST: "127.0.0.1",
  PORT: "0",
  ...env,
  GHE_HOST: new URL(ways.github.url(servers.github)).host,
  GHE_PROTOCOL: "http",
});

/** What it says when it listens. */
const addressOf = (child: UwfChild, name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const [, url] = /listens on (http:\S+?)["\s]/.exec(child.output()) ?? [];
      if (url === undefined) return;
      clearInterval(timer);
      resolve(url);
    };
    const timer = setInterval(look, 20);
    void child.ended.then((code) => {
      clearInterval(timer);
      reject(new Error(`${name} ended with ${code} before it listened: ${child.output()}`));
    });
  });
