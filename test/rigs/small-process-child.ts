import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { messageOf } from "../../src/base/errors.ts";
import type { Answer, Ended, Program, Question } from "./small-process.ts";

// Forked by `small-process.ts`; runs what it is told to, and ends when nobody can tell it anything more.
const run = async ({ argv: [command = "", ...args], cwd, env, input }: Program): Promise<Ended> => {
  const child = spawn(command, args, { cwd, env, stdio: "pipe" });
  child.stdin.on("error", () => undefined).end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [stdout, stderr, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  return { code, stdout, stderr };
};

const answer = (told: Answer): void => {
  // Nobody is left to be told when the other end is gone.
  if (process.connected) process.send?.(told);
};

process.on("message", ({ id, program }: Question) => {
  run(program).then(
    (ended) => answer({ id, ended }),
    (error: unknown) => answer({ id, failed: messageOf(error) }),
  );
});
