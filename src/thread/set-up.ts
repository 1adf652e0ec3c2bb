import { commandEnvironment } from "../tools/command-environment.ts";
import { terminalText } from "../tools/terminal-text.ts";
import type { CommandResult } from "../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Session } from "./session.ts";
import { type SetupResult, setupText } from "./setup-text.ts";

const EACH_MS = 10 * 60_000;
const ALL_MS = 20 * 60_000;
const MAX_BYTES = 256 * 1024;

/**
 * Runs the repository's setup commands in a workspace that was just made, in the sandbox, and tells the role that works there
 * what came of them. One that fails ends nothing. Cut off by a crash, they are run again; done once, they are not.
 */
export const setUp = async (session: Session, workspace: Workspace): Promise<void> => {
  const { engine, record, history, lease } = session;
  const commands = history.start.settings?.setup ?? [];
  if (commands.length === 0 || (await engine.workspaces.isReady(record.id))) return;
  const results: SetupResult[] = [];
  let left = ALL_MS;
  for (const command of commands) {
    session.control.checkpoint();
    const result =
      left > 0 ? await run(session, { workspace, command, ms: Math.min(EACH_MS, left) }) : late(command);
    left -= result.ms;
    results.push(result);
  }
  await lease.ensure();
  await tell(session, setupText(results));
  await engine.workspaces.setReady(record.id);
};

const run = async (
  { control }: Session,
  { workspace, command, ms }: { workspace: Workspace; command: string; ms: number },
): Promise<SetupResult> => {
  const result = await workspace.exec({
    command,
    env: commandEnvironment,
    timeoutMs: ms,
    maxOutputBytes: MAX_BYTES,
    signal: control.signal,
  });
  return {
    command,
    ok: result.exitCode === 0 && !result.timedOut,
    ended: endingOf(result),
    ms: result.ms,
    output: terminalText(result.output),
  };
};

const endingOf = ({ exitCode, timedOut }: CommandResult): string => {
  if (timedOut) return "stopped because it took too long";
  return exitCode === null ? "killed" : `exit code ${exitCode}`;
};

const late = (command: string): SetupResult => ({
  command,
  ok: false,
  ended: "not run because those before it took too long",
  ms: 0,
  output: "",
});

/** A role's first turn is its task: one that has not begun is given it first. */
const tell = async ({ current, engine }: Session, text: string): Promise<void> => {
  if (current === null) return;
  const { journal, task } = current;
  const at = engine.now();
  if (journal.turns.length === 0) await journal.append({ kind: "message", text: task.toWellFormed(), at });
  await journal.append({ kind: "message", text: text.toWellFormed(), at });
};
