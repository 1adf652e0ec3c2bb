import { exit } from "node:process";
import { messageOf } from "../../src/base/errors.ts";
import { runDemo } from "./demo/run-demo.ts";

/** `npm run demo`: a labelled issue becomes a pull request, on this machine alone. Exit code 0 when its test passes. */
try {
  exit(await runDemo({ env: process.env, output: process.stdout }));
} catch (error) {
  process.stderr.write(`the demo failed: ${messageOf(error)}\n`);
  if (process.env.LOG_LEVEL === "debug")
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  exit(1);
}
