import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export type RedisServer = {
  /** `redis://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** Ends it in an orderly way; without `appendonly` the data are gone. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** `kill -9` */
  kill(): Promise<void>;
  /** Removes all data. */
  flush(): Promise<void>;
  /** Ends it and removes its directory. */
  dispose(): Promise<void>;
};

export type RedisServerOptions = {
  /** Default: memory. With `appendonly`, every acknowledged write is there again after `stop` and after `kill`. */
  data?: "memory" | "appendonly";
  /** An address to listen on beside 127.0.0.1, such as a network namespace's `hostAddress`. */
  alsoOn?: string;
};

/** True where redis-server is installed; whether it works is for the tests to say. */
export const redisIsHere = (): boolean => spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of its own: a free port, a temporary directory, and nothing on disk unless asked for. */
export const redisServer = async ({
  data = "memory",
  alsoOn,
}: RedisServerOptions = {}): Promise<RedisServer> => {
  const directory = await temporaryDirectory("uwf-redis-");
  const port = await freePort();
  const settings: Record<string, readonly string[]> = {
    port: [String(port)],
    bind: ["127.0.0.1", ...(alsoOn === undefined ? [] : [alsoOn])],
    // It has no password, and would refuse whoever comes through the other address.
    "protected-mode": ["no"],
    dir: [directory.path],
    save: [""],
    appendonly: [data === "appendonly" ? "yes" : "no"],
    // What BullMQ asks for: a full Redis says so instead of dropping jobs.
    "maxmemory-policy": ["noeviction"],
  };
  const argv = [
    "redis-server",
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, ...value]),
  ];
  const launch = (): Promise<ServerProcess> =>
    serverProcess(argv, { cwd: directory.path, ready: "Ready to accept connections" });
  let server = await launch();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    stop: () => server.end("SIGTERM"),
    start: async () => {
      if (!server.isUp()) server = await launch();
    },
    kill: () => server.end("SIGKILL"),
    flush: async () => {
      await promisify(execFile)("redis-cli", ["-e", "-p", String(port), "flushall"]);
    },
    dispose: async () => {
      await server.end("SIGKILL");
      await directory.remove();
    },
  };
};
