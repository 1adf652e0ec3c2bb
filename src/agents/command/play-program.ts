import { delimiter } from "node:path";
import { clockOf } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import type { Redact } from "../../base/redact.ts";
import type { Agent } from "../../store/agent-payload.ts";
import { makeNode, type Node } from "../../store/node.ts";
import type { RoleLimits } from "../../store/payload.ts";
import { giveTo } from "../../workspace/checkout.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ThreadContext } from "../adapter.ts";
import type { LoopEvent } from "../react-config.ts";
import { programEnvironment } from "./program-environment.ts";
import { readTrace } from "./read-trace.ts";
import { type RunDirectory, withRunDirectory } from "./run-directory.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";
import { endPrograms, THREAD } from "./thread-programs.ts";

export type CommandAgent = Extract<Agent, { adapter: "command" }>;

/** What a program's agent needs of its thread. */
export type CommandSession = {
  role: { limits: RoleLimits };
  workspace(): Promise<Workspace>;
  checkpoint(): void;
  emit(event: LoopEvent): void;
  keep(nodes: readonly Node[]): Promise<void>;
};

/** What programs of agents are run with. */
export type ProgramParts = {
  /** Runs programs as this process's user. */
  outside: Sandbox;
  /** Who the roles' own commands run as, when that is another user: what programs made is given to it. */
  owner: Sandbox["owner"];
  /** The variables that programs may be given by name. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Where the store is, for programs that read it. */
  storageRoot: string;
  databaseUrl: string | null;
  /** Of the roles' own commands. */
  sandbox: "bubblewrap" | "none";
  /** Masks every secret of this process, and the values of these variables. */
  redactFor(names: readonly string[]): Redact;
};

type Play = { agent: CommandAgent; session: CommandSession; parts: ProgramParts };

/** The id of the program's run among the step's tool calls. */
const CALL = "program";

const CUT_OFF =
  "This step was begun before, and the program was ended in the middle of it: the files may hold a part of its work.";

/**
 * Runs the program of a `meta` or `step` agent with `args` after its own, and answers its standard output. The run is one turn: an
 * answer that is stored already is not asked for again. Its standard error and its trace become nodes that the step refers to.
 * Throws as `runProgram`, whose errors are thrown here, and `role-budget-exceeded`.
 */
export const playProgram = async (
  play: Play,
  { journal, signal, task, role, threadId }: ThreadContext,
  args: readonly string[],
): Promise<string> => {
  const { agent, session, parts } = play;
  const clock = clockOf(undefined);
  signal.throwIfAborted();
  const stored = journal.turns.findLast((turn) => turn.kind === "tool" && turn.callId === CALL && turn.ok);
  if (stored?.kind === "tool") return stored.text;
  if (journal.turns.length === 0)
    await journal.append({ kind: "message", text: task.toWellFormed(), at: clock.now() });
  const workspace = await session.workspace();
  session.checkpoint();
  const spent = journal.spent();
  if (spent !== null) throw new AppError(spent, { code: "role-budget-exceeded", remedy: "fix-input" });
  if (journal.cutOff.has(CALL)) {
    // A process that was killed could not end its program.
    await endPrograms(threadId);
    await journal.append({ kind: "message", text: CUT_OFF, at: clock.now() });
  } else await journal.begin([CALL]);

  return withRunDirectory(async (directory) => {
    const redact = parts.redactFor(agent.env);
    const argv = [agent.command, ...agent.args, ...args];
    const about = { callId: CALL, name: agent.name };
    session.emit({
      kind: "tool-started",
      ...about,
      arguments: JSON.stringify({ command: redact(argv.join(" ")) }),
    });
    const run = await runProgram(
      {
        label: labelOf(agent),
        argv,
        env: environment(play, directory, { thread: threadId, role, workspace }),
        timeoutMs: timeoutOf(play),
      },
      { workspace, outside: parts.outside },
      {
        signal,
        redact,
        onLine: (piece) => session.emit({ kind: "tool-output", callId: CALL, piece }),
      },
    );
    const text = run.error === null ? redact(run.output) : failureText(run);
    const ok = run.error === null;
    if (ok) await keepLogs(run, { session, redact, trace: directory.trace });
    await giveTo(parts.owner, workspace.directory);
    const files = await journal.capture();
    const turn = { ...about, ok, text: text.toWellFormed(), seen: {}, ms: run.ms };
    await journal.append({ kind: "tool", ...turn, ...workspaceOf(files), at: clock.now() });
    session.emit({ kind: "tool-finished", ...about, ok, text, ms: run.ms });
    if (run.error !== null) throw run.error;
    return turn.text;
  });
};

const LONGEST_LABEL = 120;

/** The agent's name and its command, once where both are the same. */
export const labelOf = ({ name, command, args }: Pick<CommandAgent, "name" | "command" | "args">): string => {
  const line = [command, ...args].join(" ");
  const shown = line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL).toWellFormed()}…` : line;
  return shown === name ? name : `${name} (${shown})`;
};

const workspaceOf = (files: Hash | null) => (files === null ? {} : { workspace: files });

const environment = (
  { agent, parts }: Play,
  { trace, searchPath }: RunDirectory,
  { thread, role, workspace }: { thread: string; role: string; workspace: Workspace },
): Record<string, string> => ({
  ...programEnvironment(agent, parts.variables),
  PATH: searchPath(parts.variables.PATH ?? ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter)),
  UWF_STORAGE_ROOT: parts.storageRoot,
  ...(parts.databaseUrl === null ? {} : { DATABASE_URL: parts.databaseUrl }),
  UWF_SANDBOX: parts.sandbox,
  UWF_TRACE_FILE: trace,
  [THREAD]: thread,
  UWF_ROLE: role,
  UWF_WORKSPACE: workspace.directory,
});

/** The shorter one of what the agent and the role may take. */
export const timeoutOf = ({
  agent,
  session,
}: {
  agent: Pick<CommandAgent, "timeoutSeconds">;
  session: Pick<CommandSession, "role">;
}): number =>
  Math.min(agent.timeoutSeconds, (session.role.limits.timeoutMinutes ?? Number.POSITIVE_INFINITY) * 60) *
  1000;

/** The error says the last lines only. */
const failureText = ({ error, errors }: ProgramRun): string =>
  [error?.message ?? "", errors.slice(-4_000)].filter((part) => part.trim() !== "").join("\n\n");

const keepLogs = async (
  { errors }: ProgramRun,
  { session, redact, trace }: { session: CommandSession; redact: Redact; trace: string },
): Promise<void> => {
  const read = await readTrace(trace);
  const problems = read?.problems ?? [];
  const texts = [
    errors + problems.map((problem) => `uwf: ${problem}\n`).join(""),
    redact(read?.text ?? ""),
  ].filter((text) => text !== "");
  for (const problem of problems)
    session.emit({ kind: "tool-output", callId: CALL, piece: `uwf: ${problem}\n` });
  if (texts.length > 0)
    await session.keep(
      texts.map((text) => makeNode("text", { encoding: "utf8", text: text.toWellFormed() })),
    );
};
