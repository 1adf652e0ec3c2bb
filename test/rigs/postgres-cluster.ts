import { execFile } from "node:child_process";
import { appendFile, chown, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Account } from "./postgres-programs.ts";

const run = promisify(execFile);

export type Superuser = { name: string; password: string };

export type ClusterOptions = {
  programs: string;
  account: Account | undefined;
  superuser: Superuser;
  disk: "fast" | "durable";
};

/** Makes the files of a new cluster in the directory's `data`. */
export const newCluster = async (directory: string, options: ClusterOptions): Promise<void> => {
  const { programs, account, superuser, disk } = options;
  const data = join(directory, "data");
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, superuser.password);
  if (account !== undefined)
    for (const path of [directory, passwordFile]) await chown(path, account.uid, account.gid);
  await run(
    join(programs, "initdb"),
    [
      ...["-D", data, "-U", superuser.name, "--pwfile", passwordFile, "--auth", "scram-sha-256"],
      ...["--encoding", "UTF8", "--no-locale", "--no-instructions", "--no-sync"],
      // Small segments of the log: fewer bytes to write before the first start.
      ...(disk === "fast" ? ["--wal-segsize", "1"] : []),
    ],
    // With a time zone it need not compare all of them with the system's.
    { ...account, cwd: directory, env: { ...process.env, TZ: "UTC" } },
  );
  await appendFile(join(data, "pg_hba.conf"), "host all all samenet scram-sha-256\n");
};

/** Removes the shared memory that a killed server left behind, as the end of its machine would. */
export const forgetSharedMemory = async (data: string): Promise<void> => {
  // The seventh line of the lock file is the segment's key and id.
  const [, id] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[6]?.match(/\d+/g) ?? [];
  if (id === undefined) throw new Error(`${data}: the lock file names no shared memory`);
  await run("ipcrm", ["-m", id]);
};
