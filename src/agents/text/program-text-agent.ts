import { AppError } from "../../base/errors.ts";
import { makeNode } from "../../store/node.ts";
import { giveTo } from "../../workspace/checkout.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  type CommandAgent,
  type CommandSession,
  labelOf,
  type ProgramParts,
  timeoutOf,
} from "../command/play-program.ts";
import { programEnvironment } from "../command/program-environment.ts";
import { PINNED, programError } from "../command/program-failure.ts";
import { programReach } from "../command/program-reach.ts";
import { type ProgramRun, runProgram } from "../command/run-program.ts";
import { endPrograms, THREAD } from "../command/thread-programs.ts";
import type { Invocation, Preset, Reading } from "./presets/preset.ts";
import { presetNamed } from "./presets/presets.ts";
import type { AgentAnswer, AgentFn, TextAgent, TextAgentContext } from "./text-agent.ts";

export type ProgramTextParts = {
  agent: CommandAgent;
  session: Pick<CommandSession, "role" | "keep">;
  parts: ProgramParts;
  /** Opened when the program is run: in the sandbox, or as a directory of this machine. */
  workspace: () => Promise<Workspace>;
};

/** Events of a long session with everything that its commands wrote. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * The program of an agent with the protocol `text`, called as its preset says: in the thread's workspace, in the sandbox with
 * its own share of the network, or as this process's user. Its standard error becomes a node that the step refers to. Throws as `runProgram`, with what
 * the program itself says went wrong.
 */
export const programTextAgent = (play: ProgramTextParts): AgentFn | TextAgent => {
  const preset = presetNamed(play.agent.preset);
  const { args } = play.agent;
  const run: AgentFn = (context) => answer(play, { preset, context, call: preset.run(context.prompt, args) });
  const goOn = preset.continue;
  if (goOn === null) return run;
  return {
    run,
    continue: (sessionId, message, context) =>
      answer(play, { preset, context, call: goOn(sessionId, message, args) }),
  };
};

const answer = async (
  play: ProgramTextParts,
  { preset, context, call }: { preset: Preset; context: TextAgentContext; call: Invocation },
): Promise<AgentAnswer> => {
  const { agent, session, parts } = play;
  const redact = parts.redactFor(agent.env);
  const outside = agent.sandbox === "none" ? parts.outside : null;
  const program = {
    label: labelOf(agent),
    argv: [agent.command, ...call.args],
    env: {
      ...preset.env,
      ...programEnvironment(agent, parts.variables),
      ...(outside === null ? {} : { [THREAD]: context.threadId }),
    },
    timeoutMs: timeoutOf(play),
    maxOutputBytes: MAX_OUTPUT_BYTES,
    keepsHome: true,
    reach: programReach(agent, { hosts: preset.hosts, variables: parts.variables }),
    ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
  };
  const workspace = await play.workspace();
  // A process that was killed could not end its program; a sandbox ends with the process that made it.
  if (outside !== null && context.journal.cutOff.size > 0) await endPrograms(context.threadId);
  const run = await runProgram(
    program,
    { workspace, outside },
    { signal: context.signal, redact, onLine: context.onOutput },
  );
  if (outside !== null) await giveTo(parts.owner, workspace.directory);
  if (run.errors !== "")
    await session.keep([makeNode("text", { encoding: "utf8", text: run.errors.toWellFormed() })]);
  const reading = run.output.trim() === "" && run.error !== null ? null : preset.read(run);
  if (run.error !== null) throw withReason(run.error, { reading, isSandboxed: outside === null });
  if (reading === null || "problem" in reading)
    throw unread(run, { label: redact(program.label), reading, redact });
  return { ...reading, output: redact(reading.output) };
};

/** Programs say on their standard output as well why they failed. */
const withReason = (
  error: Error,
  { reading, isSandboxed }: { reading: Reading | null; isSandboxed: boolean },
): Error => {
  if (!(error instanceof AppError)) return error;
  const { code, remedy } = error;
  if (code === "program-missing" && isSandboxed)
    return new AppError(error.message, { code, remedy, hint: IN_THE_SANDBOX });
  const reason =
    reading !== null && "problem" in reading ? ` It answered: ${reading.problem.slice(0, 400)}` : "";
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new AppError(`${error.message}${reason}`, { code, remedy, ...hint });
};

const IN_THE_SANDBOX =
  "Roles' sandboxes show /usr, /opt and the installation of the Node on the search path: install the program there, or give the " +
  `agent \`sandbox: none\`, which runs it as this user. ${PINNED}`;

const unread = (
  { errors }: ProgramRun,
  { label, reading, redact }: { label: string; reading: Reading | null; redact: (text: string) => string },
): AppError => {
  const problem = reading !== null && "problem" in reading ? reading.problem : "nothing was there";
  return programError({ program: label, errors }, `gave no answer: ${redact(problem).slice(0, 400)}`, {
    code: "program-answer",
  });
};
