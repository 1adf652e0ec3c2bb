import { z } from "zod";
import { refusalLines } from "../workspace/network/refusal.ts";
import type { CommandResult } from "../workspace/sandbox/sandbox.ts";
import { sizeText } from "./binary.ts";
import { boundedOutput } from "./bounded-output.ts";
import { commandEnvironment } from "./command-environment.ts";
import { missingPath, workspacePath } from "./paths.ts";
import { terminalText } from "./terminal-text.ts";
import { defineTool } from "./tool.ts";

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
const KEPT_BYTES = 10 * 1024 * 1024;

export const shellExec = defineTool({
  name: "shell_exec",
  description:
    "Run a command with bash. Every call is a fresh shell in the workspace's root (or cwd): cd and variables do not " +
    "last. Nothing can be typed in, and whatever the command started, in the background too, is killed when it " +
    "returns. Long output is cut in the middle and kept in a file.",
  effect: "write",
  input: z.object({
    command: z.string().min(1).describe("What bash runs; may have several lines."),
    cwd: z.string().min(1).optional().describe("Where to run it, relative to the workspace's root."),
    timeout_seconds: z
      .number()
      .positive()
      .max(MAX_SECONDS)
      .optional()
      .describe(`When to stop it. Default ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}.`),
  }),
  run: async ({ command, cwd: asked, timeout_seconds }, context) => {
    const { workspace, signal, onOutput } = context;
    const seconds = timeout_seconds ?? DEFAULT_SECONDS;
    const cwd = workspacePath(workspace, asked ?? ".");
    const entry = cwd === "." ? undefined : await workspace.files.stat(cwd);
    if (cwd !== "." && entry === undefined)
      return { ok: false, text: `cwd: ${await missingPath(workspace, cwd)}` };
    if (entry !== undefined && entry.kind !== "directory")
      return { ok: false, text: `cwd: ${cwd} is not a folder.` };
    const result = await workspace.exec({
      command,
      cwd,
      env: commandEnvironment,
      timeoutMs: Math.ceil(seconds * 1000),
      maxOutputBytes: KEPT_BYTES,
      signal,
      ...(onOutput === undefined ? {} : { onOutput }),
    });
    const output = terminalText(result.output).replace(/(?<!\n)\n+$/, "");
    const shown = output.trim() === "" ? "" : await boundedOutput(output, { workspace, headShare: 0.2 });
    const lost =
      result.omittedBytes > 0
        ? `[Of the output's middle ${sizeText(result.omittedBytes)} were not kept.]`
        : "";
    const refusals = refusalLines(result.refused ?? []);
    const lines = [shown, lost, ...refusals, ending(result, seconds, shown === "")].filter(
      (part) => part !== "",
    );
    return { ok: result.exitCode === 0 && !result.timedOut, text: lines.join("\n") };
  },
});

const ending = (result: CommandResult, seconds: number, silent: boolean): string => {
  const quiet = silent ? ", no output" : "";
  if (result.timedOut) {
    const more =
      seconds < MAX_SECONDS
        ? `a larger timeout_seconds (at most ${MAX_SECONDS})`
        : "a smaller piece of the work";
    return (
      `[timed out after ${seconds} s and was killed${silent ? ", no output until then" : "; the output until then is above"}. ` +
      `Try ${more}, or a narrower command; a command that waits for input, watches files or serves never ends.]`
    );
  }
  const time = `${(result.ms / 1000).toFixed(1)} s`;
  if (result.exitCode === null)
    return `[killed by a signal, perhaps for want of memory, after ${time}${quiet}]`;
  return `[exit code ${result.exitCode}, ${time}${quiet}]`;
};
