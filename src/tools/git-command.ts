import type { CommandResult } from "../workspace/sandbox/sandbox.ts";
import { boundedText, MAX_OUTPUT_CHARS } from "./bounded-output.ts";
import { commandEnvironment } from "./command-environment.ts";
import { terminalText } from "./terminal-text.ts";
import type { ToolAnswer, ToolContext } from "./tool.ts";

const TIMEOUT_MS = 60_000;
const KEPT_BYTES = 10 * 1024 * 1024;

/** How every git of a tool runs: no colours, no pager, names as they are, whoever owns the workspace. */
const GIT = [
  "git",
  "--no-pager",
  "-c",
  "safe.directory=*",
  "-c",
  "core.quotePath=false",
  "-c",
  "color.ui=false",
];

/** A git command's output in the workspace, or what it complained of. */
export const runGit = async (
  args: readonly string[],
  context: ToolContext,
): Promise<{ ok: true; output: string } | { ok: false; text: string }> =>
  outputOf(await gitCommand([...GIT, ...args], context));

/** The same for a script of bash, which gets git's own words as `"${GIT[@]}"` and `args` as `"$@"`. */
export const runGitScript = async (
  script: string,
  args: readonly string[],
  context: ToolContext,
): Promise<{ ok: true; output: string } | { ok: false; text: string }> => {
  const words = GIT.map((word) => `'${word}'`).join(" ");
  return outputOf(
    await gitCommand(["bash", "-c", `GIT=(${words})\n${script}`, "git-tool", ...args], context),
  );
};

const gitCommand = (command: readonly string[], { workspace, signal }: ToolContext): Promise<CommandResult> =>
  workspace.exec({
    command,
    env: { ...commandEnvironment, GIT_OPTIONAL_LOCKS: "0" },
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: KEPT_BYTES,
    reach: null,
    signal,
  });

const outputOf = (result: CommandResult): { ok: true; output: string } | { ok: false; text: string } => {
  const output = terminalText(result.output).replace(/(?<!\n)\n+$/, "");
  if (result.timedOut)
    return { ok: false, text: `git took longer than ${TIMEOUT_MS / 1000} s and was stopped.` };
  if (result.exitCode === 0) return { ok: true, output };
  return { ok: false, text: output === "" ? `git ended with exit code ${result.exitCode}.` : output };
};

/**
 * A diff for a model: whole when it fits, else what `stat` says of every file first, then as much of the diff as fits;
 * the rest is kept in a file.
 */
export const diffAnswer = async (
  diff: string,
  { stat, context }: { stat(): Promise<string>; context: ToolContext },
): Promise<ToolAnswer> => {
  if (diff.length <= MAX_OUTPUT_CHARS) return { ok: true, text: diff };
  const overview = boundedText(await stat(), {
    maxChars: MAX_OUTPUT_CHARS / 2,
    headShare: 0.7,
    note: ({ lines }) => `[… ${lines.toLocaleString("en-US")} files left out here …]`,
  });
  const path = await context.workspace.keepOutput(diff);
  const shown = boundedText(diff, {
    maxChars: MAX_OUTPUT_CHARS - overview.length - 2,
    headShare: 1,
    note: ({ lines }) =>
      `[… ${lines.toLocaleString("en-US")} more lines; the whole is in ${path}, or ask for one file or folder with path …]`,
  });
  return { ok: true, text: `${overview}\n\n${shown}` };
};
