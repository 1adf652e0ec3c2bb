import { delimiter } from "node:path";
import { AppError } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import type { Redact } from "../../base/redact.ts";
import type { Agent } from "../../store/agent-payload.ts";
import { makeNode, type Node } from "../../store/node.ts";
import type { RoleLimits } from "../../store/payload.ts";
import { giveTo } from "../../workspace/checkout.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Journal, ThreadContext } from "../adapter.ts";
import type { LoopEvent } from "../react-config.ts";
import { programEnvironment } from "./program-environment.ts";
import { readTrace, type Trace } from "./read-trace.ts";
import { type RunDirectory, withRunDirectory } from "./run-directory.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";
import { endPrograms, THREAD } from "./thread-programs.ts";
import type { Told } from "./told.ts";

export type CommandAgent = Extract<Agent, { adapter: "command" }>;

/** What a program's agent needs of its thread. */
export type CommandSession = {
  role: { limits: RoleLimits };
  workspace(): Promise<Workspace>;
  checkpoint(): void;
  emit(event: LoopEvent): void;
  keep(nodes: readonly Node[]): Promise<void>;
  /** Takes the limit of the thread, or of the role, that the agent says it has come to. */
  stoppedAt(limit: NonNullable<Told["limit"]>): void;
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
  sandbox: Sandbox["kind"];
  /** Masks every secret of this process, and the values of these variables. */
  redactFor(names: readonly string[]): Redact;
};

type Play = { agent: CommandAgent; session: CommandSession; parts: ProgramParts };

/** The id of the program's run among the step's tool calls. */
const CALL = "program";

const CUT_OFF =
  "This step was begun before, and the program was ended in the middle of it: the files may hold a part of its work.";

/**
 * Runs the program of a `meta` or `step` agent with `args` after its own, and answers its standard output. The run is one turn, with
 * what the program has said that it has used: an answer that is stored already is not asked for again. Its standard error and its
 * trace become nodes that the step refers to. Throws as `runProgram`, whose errors are thrown here, and `role-budget-exceeded`.
 */
export const playProgram = async (
  play: Play,
  context: ThreadContext,
  args: readonly string[],
): Promise<string> => {
  const { journal, signal } = context;
  signal.throwIfAborted();
  const stored = runsIn(journal).findLast(({ ok }) => ok);
  if (stored !== undefined) return stored.text;
  const workspace = await beginRun(play, context);
  return withRunDirectory((directory) => runOnce(play, context, { args, workspace, directory }));
};

type RunTurn = Extract<Journal["turns"][number], { kind: "tool" }>;

const runsIn = ({ turns }: Pick<Journal, "turns">): RunTurn[] =>
  turns.filter((turn): turn is RunTurn => turn.kind === "tool" && turn.callId === CALL);

/** Tells of a run that was cut off, and notes that the next one begins. */
const beginRun = async (
  { session }: Play,
  { journal, task, threadId }: ThreadContext,
): Promise<Workspace> => {
  const tell = (text: string) => journal.append({ kind: "message", text, at: Date.now() });
  if (journal.turns.length === 0) await tell(task.toWellFormed());
  const workspace = await session.workspace();
  session.checkpoint();
  const spent = journal.spent();
  if (spent !== null) throw atLimit(spent);
  // A process that was killed could not end its program.
  const wasKilled = journal.cutOff.has(CALL);
  if (wasKilled) await endPrograms(threadId);
  if (wasKilled || runsIn(journal).length > 0) await tell(CUT_OFF);
  if (!wasKilled) await journal.begin([CALL]);
  return workspace;
};

type Running = { args: readonly string[]; workspace: Workspace; directory: RunDirectory };

const runOnce = async (
  play: Play,
  { journal, signal, role, threadId }: ThreadContext,
  { args, workspace, directory }: Running,
): Promise<string> => {
  const { agent, session, parts } = play;
  const redact = parts.redactFor(agent.env);
  const argv = [agent.command, ...agent.args, ...args];
  const about = { callId: CALL, name: agent.name };
  const line = JSON.stringify({ command: redact(argv.join(" ")) });
  session.emit({ kind: "tool-started", ...about, arguments: line });
  const append = async (result: Pick<RunTurn, "ok" | "text" | "ms">, told: Told | undefined) => {
    const files = await journal.capture();
    const more = { seen: {}, ...workspaceOf(files), ...usageOf(told), at: Date.now() };
    await journal.append({ kind: "tool", ...about, ...result, ...more });
    session.emit({ kind: "tool-finished", ...about, ...result });
  };
  const env = environment(play, directory, { thread: threadId, role, workspace });
  const program = { label: labelOf(agent), argv, env, timeoutMs: timeoutOf(play) };
  const onLine = (piece: string) => session.emit({ kind: "tool-output", callId: CALL, piece });
  const began = performance.now();
  const run = await runProgram(
    program,
    { workspace, outside: parts.outside },
    { signal, redact, onLine },
  ).catch(async (error: unknown) => {
    const { told } = (await readTrace(directory.trace)) ?? {};
    const ms = Math.round(performance.now() - began);
    // Where that cannot be noted, why not is what stops the run: another process has the thread, or the disk is full.
    if (told?.usage) await append({ ok: false, text: ENDED, ms }, told);
    throw error;
  });
  const trace = await readTrace(directory.trace);
  const limit = trace?.told.limit ?? null;
  const reason = redact(limit?.reason ?? "");
  if (limit !== null) session.stoppedAt({ ...limit, reason });
  const text = (run.error === null ? redact(run.output) : failureText(run)).toWellFormed();
  if (run.error === null) await keepLogs(run, { session, redact, trace });
  await giveTo(parts.owner, workspace.directory);
  await append({ ok: run.error === null, text, ms: run.ms }, trace?.told);
  if (run.error !== null) throw limit === null ? run.error : atLimit(reason);
  return text;
};

const ENDED = "The program was ended before it had answered.";

const atLimit = (reason: string): AppError =>
  new AppError(reason, { code: "role-budget-exceeded", remedy: "fix-input" });

const usageOf = (told: Told | undefined) => (told?.usage ? { usage: told.usage } : {});

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
  { session, redact, trace }: { session: CommandSession; redact: Redact; trace: Trace | null },
): Promise<void> => {
  const problems = trace?.problems ?? [];
  const texts = [
    errors + problems.map((problem) => `uwf: ${problem}\n`).join(""),
    redact(trace?.text ?? ""),
  ].filter((text) => text !== "");
  for (const problem of problems)
    session.emit({ kind: "tool-output", callId: CALL, piece: `uwf: ${problem}\n` });
  if (texts.length > 0)
    await session.keep(
      texts.map((text) => makeNode("text", { encoding: "utf8", text: text.toWellFormed() })),
    );
};
