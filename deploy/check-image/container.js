// Containers by runc, which is what a container engine starts in the end.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TIMEOUT_MS = 120_000;
let count = 0;

const runc = (...args) =>
  spawnSync("runc", args, { encoding: "utf8", timeout: TIMEOUT_MS, stdio: ["ignore", "pipe", "pipe"] });

const prepare = (work, configuration) => {
  count += 1;
  const name = `uwf-check-${process.pid}-${count}`;
  const bundle = join(work, name);
  mkdirSync(bundle);
  writeFileSync(join(bundle, "config.json"), JSON.stringify(configuration));
  return { name, bundle };
};

/** What `runc spec` prints. */
export const template = (work) => {
  const bundle = join(work, "template");
  mkdirSync(bundle);
  const { status, stderr } = runc("spec", "--bundle", bundle);
  if (status !== 0) throw new Error(`runc spec: ${stderr}`);
  return join(bundle, "config.json");
};

/** Runs it to its end. */
export const runContainer = (work, configuration) => {
  const { name, bundle } = prepare(work, configuration);
  const { status, stdout, stderr } = runc("run", "--bundle", bundle, name);
  runc("delete", "--force", name);
  return { status, output: `${stdout}${stderr}`.trim() };
};

/** Starts it; `exec` runs a command in it, `stop` sends SIGTERM to its first process and answers how that ended. */
export const startContainer = (work, configuration) => {
  const { name, bundle } = prepare(work, configuration);
  const child = spawn("runc", ["run", "--bundle", bundle, name], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const ended = once(child, "close");
  return {
    exec: (...args) => {
      const { status, stdout, stderr } = runc("exec", name, ...args);
      return { status, output: `${stdout}${stderr}`.trim() };
    },
    stop: async () => {
      runc("kill", name, "TERM");
      const deadline = setTimeout(() => runc("delete", "--force", name), TIMEOUT_MS);
      const [status] = await ended;
      clearTimeout(deadline);
      runc("delete", "--force", name);
      return { status, output: output.trim() };
    },
  };
};
