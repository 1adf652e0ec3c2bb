import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Docker from "dockerode";
import { serverProcess } from "./server-process.ts";

/** True where Docker's engine can be started: it is installed, and this is root. */
export const containerEngineIsHere = (): boolean =>
  process.geteuid?.() === 0 && spawnSync("dockerd", ["--version"]).status === 0;

export type ContainerEngine = {
  socket: string;
  /** An image of this machine's own shell and tools. */
  image: string;
  docker: Docker;
  dispose(): Promise<void>;
};

const PROGRAMS = [
  ...["bash", "cat", "date", "env", "head", "id", "ls", "mkdir", "nohup", "printf", "readlink", "rm", "seq"],
  ...["setsid", "sh", "sleep", "tail", "touch", "unshare", "yes"],
];

/** Docker's engine on a socket of its own, without any network. */
export const containerEngine = async (): Promise<ContainerEngine> => {
  const directory = mkdtempSync(join(tmpdir(), "uwf-engine-"));
  const socket = join(directory, "docker.sock");
  const server = await serverProcess(
    [
      ...["dockerd", "--host", `unix://${socket}`, "--pidfile", join(directory, "pid")],
      ...["--data-root", join(directory, "data"), "--exec-root", join(directory, "run")],
      ...["--bridge=none", "--iptables=false", "--ip6tables=false"],
    ],
    { ready: "API listen on" },
  );
  const docker = new Docker({ socketPath: socket });
  const image = "uwf-test:latest";
  importImage(join(directory, "root"), { socket, image });
  return {
    socket,
    image,
    docker,
    dispose: async () => {
      await server.end("SIGTERM");
      rmSync(directory, { recursive: true, maxRetries: 20, retryDelay: 100 });
    },
  };
};

/** Programs of this machine with the libraries that they name, packed as a root file system. */
const importImage = (root: string, { socket, image }: { socket: string; image: string }): void => {
  for (const path of ["usr/bin", "tmp", "etc", "proc", "sys", "dev"])
    mkdirSync(join(root, path), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  const bring = (path: string, as = path): void => {
    const target = join(root, as);
    if (existsSync(target)) return;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(realpathSync(path), target);
    chmodSync(target, 0o755);
  };
  for (const name of PROGRAMS) {
    const path = ["/usr/bin", "/bin"].map((bin) => join(bin, name)).find((file) => existsSync(file));
    if (path === undefined) throw new Error(`${name} is not installed`);
    bring(path, `/bin/${name}`);
    for (const [, library = ""] of spawnSync("ldd", [path], { encoding: "utf8" }).stdout.matchAll(
      /(\/\S+) \(0x/g,
    ))
      bring(library);
  }
  const tar = spawnSync("tar", ["-C", root, "-c", "."], { maxBuffer: 1 << 30 });
  if (tar.status !== 0) throw new Error(`tar: ${tar.stderr}`);
  const imported = spawnSync("docker", ["--host", `unix://${socket}`, "import", "-", image], {
    input: tar.stdout,
  });
  if (imported.status !== 0) throw new Error(`docker import: ${imported.stderr}`);
};
