// Plain JavaScript for any Node from 20 on: finds a Node that runs the TypeScript sources, then starts a program.
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const wanted = [24, 0];
const least = [22, 18];
const launched = "UWF_LAUNCHED";

const isAtLeast = ([major, minor]) => {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

/** Compiled code is run unseen, so it is kept where nobody else can write: a directory of this user's own. */
const compileCacheDirectory = () => {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), uid === undefined ? "uwf-compile-cache" : `uwf-compile-cache-${uid}`);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (error.code !== "EEXIST") return undefined;
  }
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return undefined;
  if (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) return undefined;
  return directory;
};

/** Without its launcher a program would go on unseen, and hold its thread: it ends as if it had been killed itself. */
const endWithLauncher = () => {
  if (process.env[launched] === undefined) return;
  delete process.env[launched];
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel?.unref();
};

const start = async (program) => {
  endWithLauncher();
  const cache = compileCacheDirectory();
  if (cache !== undefined) module.enableCompileCache(cache);
  await program();
};

/** Runs a file with `node`, and ends as that does. A terminal sends Ctrl-C to both, so it is not passed on. */
const startWith = async (node, file) => {
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [fileURLToPath(file), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [launched]: "1" },
  });
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (signal !== "SIGINT" || !onTerminal) child.kill(signal);
    });
  child.on("error", (error) => {
    process.stderr.write(`error: cannot run ${node}: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
};

/** Starts `program` in a Node that can run it: in this one, or by running `file`, the address of what calls this, in another. */
export const launch = async (file, program) => {
  if (isAtLeast(wanted)) {
    await start(program);
    return;
  }
  const own = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));
  if (existsSync(own) && process.env[launched] === undefined) await startWith(own, file);
  else if (isAtLeast(least)) await start(program);
  else {
    process.stderr.write(
      `error: uwf needs Node ${least.join(".")} or newer, this is ${process.versions.node}\n`,
    );
    process.stderr.write(
      "hint: run `npm ci` in uwf's directory, which brings one, or install a newer Node.\n",
    );
    process.exitCode = 2;
  }
};
