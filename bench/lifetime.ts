import { spawn } from "node:child_process";

/** Milliseconds from the start of a Node process to its end. */
export const lifetime = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((done, failed) => {
    const begun = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    child.on("error", failed);
    child.on("exit", (code) => {
      if (code === 0) done(performance.now() - begun);
      else failed(new Error(`node ${args.join(" ")} ended with ${code}`));
    });
  });
