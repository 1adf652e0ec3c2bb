import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";

/** What attacks are after: each value stands at one place of this machine, and nowhere else. */
export type Loot = {
  /** By what it stands for. */
  values: Readonly<Record<string, string>>;
  /** For the process that is attacked. */
  env: Readonly<Record<string, string>>;
  /** A directory of the host that nobody may read or change. */
  host: string;
  home: string;
  /** Where a server of the attacker, or of the machine, listens. */
  port: number;
  socket: string;
  abstractSocket: string;
  /** Who came to any of the servers. */
  visits: readonly string[];
  /** The files that were changed, by their names. */
  changedFiles(): string[];
  close(): Promise<void>;
};

const canary = (kind: string): string => `canary-${kind}-${randomBytes(8).toString("hex")}`;

/** Puts it below `root`, which the attacked process has for its home directory's parent. */
export const spreadLoot = async (root: string): Promise<Loot> => {
  const [host, home] = [join(root, "host"), join(root, "home")];
  const values = Object.fromEntries(
    ["file", "environment", "netrc", "key", "git", "cloud", "server", "socket"].map((kind) => [
      kind,
      canary(kind),
    ]),
  );
  const files: Readonly<Record<string, string>> = {
    [join(host, "secret.txt")]: values.file ?? "",
    [join(home, ".netrc")]: `machine example.org password ${values.netrc}\n`,
    [join(home, ".ssh/id_ed25519")]: `-----BEGIN OPENSSH PRIVATE KEY-----\n${values.key}\n`,
    [join(home, ".git-credentials")]: `https://x:${values.git}@example.org\n`,
    [join(home, ".aws/credentials")]: `aws_secret_access_key = ${values.cloud}\n`,
    [join(home, ".bashrc")]: "# untouched\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const visits: string[] = [];
  const web = createHttpServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    response.end(values.server);
  });
  const port = await listening(web, 0);
  const socket = join(host, "docker.sock");
  const abstractSocket = `\0uwf-${randomBytes(8).toString("hex")}`;
  const sockets = [socket, abstractSocket].map((path) => ({
    path,
    server: greeter(path, { values, visits }),
  }));
  for (const { path, server } of sockets) await listening(server, path);
  return {
    values,
    env: { AWS_SECRET_ACCESS_KEY: values.environment ?? "" },
    ...{ host, home, port, socket, visits },
    abstractSocket: abstractSocket.slice(1),
    changedFiles: () => Object.keys(files).filter((path) => readFileSync(path, "utf8") !== files[path]),
    close: async () => {
      for (const server of [web, ...sockets.map((one) => one.server)])
        await new Promise((resolve) => server.close(resolve));
    },
  };
};

const greeter = (path: string, { values, visits }: Pick<Loot, "values"> & { visits: string[] }): Server =>
  createServer((connection) => {
    visits.push(path);
    connection.on("error", () => undefined).end(`${values.socket}`);
  });

const listening = async (server: Server, where: number | string): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(typeof where === "number" ? { port: where, host: "127.0.0.1" } : { path: where }, resolve);
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};
