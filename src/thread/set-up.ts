import { commandEnvironment } from "../tools/command-environment.ts";
import { terminalText } from "../tools/terminal-text.ts";
import type { Reach } from "../workspace/network/network.ts";
import { presetsFor } from "../workspace/network/presets.ts";
import { refusalLines } from "../workspace/network/refusal.ts";
import type { CommandResult } from "../workspace/sandbox/sandbox.ts";
import type { ExecResult, Workspace } from "../workspace/workspace.ts";
import type { Session } from "./session.ts";
import { type SetupResult, setupText } from "./setup-text.ts";

/** Milliseconds that one command may take, and all of them. */
const LIMITS = { each: 10 * 60_000, all: 20 * 60_000 };
const STATUS_MS = 60_000;
const MAX_BYTES = 256 * 1024;

/**
 * Runs the repository's setup commands in a workspace that was just made, in the sandbox, and tells the role that works there
 * what came of them. One that fails ends nothing. Cut off by a crash, they are run again; done once, they are not.
 */
export const setUp = async (session: Session, workspace: Workspace): Promise<void> => {
  const { engine, root, history, lease, control } = session;
  const commands = history.start.settings?.setup ?? [];
  if (commands.length === 0 || (await engine.workspaces.isReady(root))) return;
  const text = await runSetup(workspace, commands, control);
  await lease.ensure();
  await tell(session, text);
  await engine.workspaces.setReady(root);
};

/** Runs the commands in a workspace, with the package registries that its files ask for, and answers what a role is told of them. */
export const runSetup = async (
  workspace: Workspace,
  commands: readonly string[],
  control: Pick<Session["control"], "signal" | "checkpoint">,
): Promise<string> => {
  const files = (await workspace.files.list(".")).map(({ name }) => name);
  const reach: Reach = { repository: presetsFor(files) };
  const before = new Set(await differences(control, workspace));
  const results = await inTime(commands, LIMITS, (command, ms) => {
    control.checkpoint();
    return run(control, { workspace, command, ms, reach });
  });
  const changed = (await differences(control, workspace)).filter((path) => !before.has(path));
  return setupText(results, { changed });
};

/** Runs one after the other, each in its own time and in what is left of all; for what is left over there is none. */
export const inTime = async (
  commands: readonly string[],
  limits: { each: number; all: number },
  runOne: (command: string, ms: number) => Promise<SetupResult>,
): Promise<SetupResult[]> => {
  const results: SetupResult[] = [];
  let left = limits.all;
  for (const command of commands) {
    const result = left > 0 ? await runOne(command, Math.min(limits.each, left)) : late(command);
    left -= result.ms;
    results.push(result);
  }
  return results;
};

const late = (command: string): SetupResult => ({
  command,
  ok: false,
  ended: "not run because those before it took too long",
  ms: 0,
  output: "",
});

type Asked = { workspace: Workspace; command: string; ms: number; reach: Reach | null };

type Signalled = Pick<Session["control"], "signal">;

const run = async (control: Signalled, asked: Asked): Promise<SetupResult> => {
  const result = await exec(control, asked);
  return {
    command: asked.command,
    ok: result.exitCode === 0 && !result.timedOut,
    ended: endingOf(result),
    ms: result.ms,
    output: [terminalText(result.output), ...refusalLines(result.refused ?? [])].join("\n"),
  };
};

const exec = ({ signal }: Signalled, { workspace, command, ms, reach }: Asked): Promise<ExecResult> =>
  workspace.exec({
    command,
    env: commandEnvironment,
    timeoutMs: ms,
    maxOutputBytes: MAX_BYTES,
    reach,
    signal,
  });

const endingOf = ({ exitCode, timedOut }: CommandResult): string => {
  if (timedOut) return "stopped because it took too long";
  return exitCode === null ? "killed" : `exit code ${exitCode}`;
};

/** Files that differ from the commit, as git names them; none where git cannot tell. */
const differences = async (control: Signalled, workspace: Workspace): Promise<string[]> => {
  const { exitCode, output } = await exec(control, {
    workspace,
    command: "git status --porcelain --untracked-files=all --no-renames",
    ms: STATUS_MS,
    reach: null,
  });
  if (exitCode !== 0) return [];
  return output.split("\n").flatMap((line) => (line.length > 3 ? [line.slice(3)] : []));
};

/** A role's first turn is its task: one that has not begun is given it first. */
const tell = async ({ current, engine }: Session, text: string): Promise<void> => {
  if (current === null) return;
  const { journal, task } = current;
  const at = engine.now();
  if (journal.turns.length === 0) await journal.append({ kind: "message", text: task.toWellFormed(), at });
  await journal.append({ kind: "message", text: text.toWellFormed(), at });
};
