import { execFile } from "node:child_process";
import { bugError, inputError, messageOf } from "../base/errors.ts";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const FIND_MS = 5 * 60_000;
const LONGEST_PATH = 4096;
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/**
 * Runs `find` over a tree that a role has left: it follows no link and enters no other file system, and what this
 * user may not enter is passed over. Answers what the expression prints with `-print0`, relative to the tree: bytes,
 * because names need not be text. Names too long to be used as paths are left out. Throws `capture-too-large` (fix-input) for
 * more than can be taken in.
 */
export const find = async (tree: string, expression: readonly string[]): Promise<Buffer[]> =>
  split(await run(tree, expression)).filter(
    (path) => path.length + Buffer.byteLength(tree) < LONGEST_PATH - "/".length,
  );

const run = (tree: string, expression: readonly string[]): Promise<Buffer> => {
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: FIND_MS, killSignal: "SIGKILL" } as const;
  const options = { cwd: tree, env: ENVIRONMENT, encoding: "buffer", ...limits } as const;
  return new Promise((resolve, reject) => {
    execFile("find", [".", "-xdev", ...expression], options, (error, stdout) => {
      // 1: something could not be entered or named.
      if (error === null || error.code === 1) resolve(stdout);
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") reject(tooMany());
      else reject(bugError(`find failed in ${tree}: ${messageOf(error)}`, error));
    });
  });
};

const tooMany = () =>
  inputError(
    "capture-too-large",
    "The workspace has more links, or files that no repository has, than can be looked at.",
    "Remove what was generated or installed.",
  );

const split = (output: Buffer): Buffer[] => {
  const paths: Buffer[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    if (end < 0) break;
    paths.push(output.subarray(start + "./".length, end));
    start = end + 1;
  }
  return paths;
};
