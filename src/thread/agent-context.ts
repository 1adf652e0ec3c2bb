import { outputFormatInstruction } from "../agents/text/output-format.ts";
import { inputError } from "../base/errors.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { JsonSchema } from "../base/json.ts";
import { didYouMean } from "../base/nearest.ts";
import type { RoleLimits, Source } from "../store/payload.ts";
import type { History, Store, ThreadRecord } from "../store/store.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import { outputSchema } from "../workflow/schema.ts";
import type { Role, Workflow } from "../workflow/workflow.ts";
import { withInstructions } from "./instructions.ts";
import { decide } from "./moderator.ts";
import { lastOwnStep } from "./session.ts";

type Reader = Pick<Store, "thread" | "history" | "turns" | "load" | "loadAll" | "link">;

/** All that an agent is told which plays the next step of a thread, and where its step belongs. */
export type AgentContext = {
  thread: ThreadId;
  role: string;
  workflow: { name: string; description: string; hash: Hash };
  /** What the role is, and what the repository's maintainers ask of every role. */
  systemPrompt: string;
  /** What is asked of the role now. */
  task: string;
  /** What was said since the step began: by a person, or about a run of it that was cut off. Oldest first. */
  notes: string[];
  /** What the whole thread is for. */
  input: string;
  /** Oldest first. */
  steps: { hash: Hash; role: string; task: string; output: unknown }[];
  /** JSON Schema. */
  outputSchema: JsonSchema;
  /** How an agent that answers text is to give its output. */
  outputFormatInstruction: string;
  /** What the step has to say of itself. */
  start: Hash;
  prev: Hash | null;
  agent: Hash;
  source: Source | null;
  /** The built-in tools that the role would have; null: all. */
  tools: readonly string[] | null;
  /** The model that the role asks for, by its alias. */
  model: string | null;
  limits: RoleLimits & {
    /** US dollars and tokens that the whole thread may use; null: no limit. */
    thread: { pauseAfterRounds: number; budgetUsd: number | null; budgetTokens: number | null };
  };
};

/**
 * What the agent of the step that is under way, or comes next, is told. Needs no lease: the thread may be held by the engine that
 * runs the agent. Throws `thread-unknown`, `role-unknown` and `role-not-next` (fix-input).
 */
export const readAgentContext = async (
  store: Reader,
  { thread, role: name }: { thread: ThreadId; role: string },
): Promise<AgentContext> => {
  const record = await store.thread(thread);
  if (record === undefined) throw inputError("thread-unknown", `There is no thread ${thread}.`);
  const history = await store.history(record.head);
  const { start } = history;
  const workflow = await loadStoredWorkflow(store, start.workflow);
  const role = roleOf(workflow, name);
  const agent = start.agents[name];
  const next = await nextTask(store, { record, history, workflow, role });
  if (agent === undefined) throw inputError("role-unknown", `Nobody is bound to the role "${name}".`);
  return {
    thread,
    role: name,
    workflow: { name: workflow.name, description: workflow.description, hash: start.workflow },
    systemPrompt: withInstructions(role.systemPrompt, start.settings),
    ...next,
    input: start.input,
    steps: history.steps.map(({ hash, step, output }) => ({
      hash,
      role: step.role,
      task: step.task,
      output,
    })),
    outputSchema: role.schema,
    outputFormatInstruction: outputFormatInstruction(outputSchema(role.schema)),
    start: record.start,
    prev: lastOwnStep({ history, record }),
    agent,
    source: start.source,
    tools: role.tools,
    model: role.model,
    limits: { ...role.limits, thread: start.limits },
  };
};

const roleOf = ({ name: workflow, roles }: Workflow, name: string): Role => {
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
  if (role !== undefined) return role;
  const known = Object.keys(roles);
  throw inputError(
    "role-unknown",
    `${workflow} has no role "${name}"${didYouMean(name, known)}`,
    `Its roles are: ${known.join(", ")}.`,
  );
};

/** The task of a step under way is its first turn; what comes next without one, the moderator says. */
const nextTask = async (
  store: Reader,
  at: { record: ThreadRecord; history: History; workflow: Workflow; role: Role },
): Promise<Pick<AgentContext, "task" | "notes">> => {
  const { record, history, workflow, role } = at;
  const decision = await decide(workflow, {
    input: history.start.input,
    trigger: history.start.trigger ?? "",
    steps: history.steps.map(({ step, output }) => ({ role: step.role, task: step.task, output })),
    resumed: { note: record.note, completed: history.end?.status === "completed" },
    approved: (await store.link(record.id, "approved")) === history.steps.at(-1)?.hash,
  });
  if (decision.kind !== "run" || decision.role !== role.name)
    throw inputError(
      "role-not-next",
      decision.kind === "run"
        ? `The next step of thread ${record.id} is of the role "${decision.role}", not "${role.name}".`
        : `Thread ${record.id} has no next step: it ${decision.kind === "end" ? "is at its end" : "waits for a person"}.`,
      "See `uwf thread show`.",
    );
  if (record.tip === null) return { task: decision.task, notes: [] };
  const turns = await store.turns(record.tip);
  const told = turns.flatMap((turn) => (turn.kind === "message" ? [turn.text] : []));
  const [task = decision.task, ...notes] = told;
  return { task, notes };
};
