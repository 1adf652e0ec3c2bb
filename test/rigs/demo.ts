import { exit } from "node:process";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/base/errors.ts";
import { runDemo } from "./demo/run-demo.ts";

/**
 * `npm run demo [-- --forge forgejo]`: a labelled issue becomes a pull request, on this machine alone. Exit code 0 when its test
 * passes, 2 for an argument that it does not know.
 */
const forgeOf = (args: string[]): "github" | "forgejo" => {
  const { forge } = parseArgs({ args, options: { forge: { type: "string", default: "github" } } }).values;
  if (forge === "github" || forge === "forgejo") return forge;
  throw new Error(`--forge is github or forgejo, not ${forge}`);
};

let forge: "github" | "forgejo";
try {
  forge = forgeOf(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  exit(2);
}
try {
  exit(await runDemo({ env: process.env, output: process.stdout, forge }));
} catch (error) {
  process.stderr.write(`the demo failed: ${messageOf(error)}\n`);
  if (process.env.LOG_LEVEL === "debug")
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  exit(1);
}
