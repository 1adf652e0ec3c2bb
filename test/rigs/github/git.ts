import { runFromSmallProcess } from "../small-process.ts";

export type GitOptions = { cwd?: string; env?: Record<string, string>; input?: Uint8Array | string };

/** Runs git with nothing of this machine's configuration; answers its output. Throws with what git said. */
export const git = async (args: readonly string[], options: GitOptions = {}): Promise<string> =>
  (await gitBytes(args, options)).toString("utf8");

export const gitBytes = async (
  args: readonly string[],
  { cwd, env = {}, input = "" }: GitOptions = {},
): Promise<Buffer> => {
  const { code, stdout, stderr } = await runFromSmallProcess({
    argv: ["git", ...args],
    env: gitEnvironment(env),
    input: Buffer.from(input),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const problems = Buffer.from(stderr).toString("utf8");
  if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${problems.trim()}`);
  return Buffer.from(stdout);
};

export const gitEnvironment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C.UTF-8",
  ...more,
});
