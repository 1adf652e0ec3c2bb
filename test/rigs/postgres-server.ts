import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { killWithChildren } from "./kill-with-children.ts";
import { forgetSharedMemory, newCluster } from "./postgres-cluster.ts";
import { postgresAccount, postgresPrograms } from "./postgres-programs.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export type PostgresServer = {
  /** The database `postgres`, as the superuser, with the password. */
  url: string;
  port: number;
  /** Of the first process of the server that runs now, or ran last. */
  readonly pid: number;
  /** Makes an empty database; its URL. */
  database(): Promise<string>;
  /** `fast` rolls back what is open and writes everything; `immediate` leaves that to the next start. */
  stop(how: "fast" | "immediate"): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** `kill -9` for all of its processes at once. */
  kill(): Promise<void>;
  /** Ends it and removes its directory. */
  dispose(): Promise<void>;
};

export type PostgresServerOptions = {
  /**
   * Default: `fast`, which never waits for the disk and still keeps every commit when its processes are killed.
   * `durable` has the server's own defaults.
   */
  disk?: "fast" | "durable";
  /** An address to listen on beside 127.0.0.1, such as a network namespace's `hostAddress`. */
  alsoOn?: string;
  /** What differs from the server's defaults, e.g. `{ max_connections: "20" }`. */
  settings?: Readonly<Record<string, string>>;
};

/** True where a server that is new enough is installed; whether it works is for the tests to say. */
export const postgresIsHere = (): boolean => postgresPrograms() !== undefined;

const superuser = { name: "uwf", password: "only-for-tests" };

/** A PostgreSQL cluster of its own: a free port, a temporary directory, TCP and a password. */
export const postgresServer = async (options: PostgresServerOptions = {}): Promise<PostgresServer> => {
  const programs = postgresPrograms() ?? "";
  const account = postgresAccount();
  const directory = await temporaryDirectory("uwf-postgres-");
  const data = join(directory.path, "data");
  await newCluster(directory.path, { programs, account, superuser, disk: options.disk ?? "fast" });
  const port = await freePort();
  const argv = [
    ...[join(programs, "postgres"), "-D", data, "-p", String(port)],
    ...Object.entries(settingsOf(options)).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const launch = (): Promise<ServerProcess> =>
    serverProcess(argv, {
      ...account,
      cwd: directory.path,
      ready: "database system is ready to accept connections",
      // Killed outright it would leave shared memory behind.
      deathSignal: "QUIT",
    });
  let server = await launch();
  const urlOf = (database: string) =>
    `postgresql://${superuser.name}:${superuser.password}@127.0.0.1:${port}/${database}`;
  let databases = 0;
  return {
    url: urlOf("postgres"),
    port,
    get pid() {
      return server.pid;
    },
    database: async () => {
      const name = `test_${++databases}`;
      await createDatabase(name, urlOf("postgres"));
      return urlOf(name);
    },
    stop: (how) => server.end(how === "fast" ? "SIGINT" : "SIGQUIT"),
    start: async () => {
      if (!server.isUp()) server = await launch();
    },
    kill: async () => {
      if (!server.isUp()) return;
      await killWithChildren(server);
      await forgetSharedMemory(data);
    },
    dispose: async () => {
      await server.end("SIGQUIT");
      await directory.remove();
    },
  };
};

const settingsOf = ({ disk = "fast", alsoOn, settings }: PostgresServerOptions): Record<string, string> => ({
  listen_addresses: ["127.0.0.1", ...(alsoOn === undefined ? [] : [alsoOn])].join(","),
  unix_socket_directories: "",
  // In files of its directory, so that they go with it even after a kill.
  dynamic_shared_memory_type: "mmap",
  // Commits still reach the operating system before they are acknowledged: a kill loses none.
  ...(disk === "fast" ? { fsync: "off" } : {}),
  ...settings,
});

const createDatabase = async (name: string, url: string): Promise<void> => {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
};
