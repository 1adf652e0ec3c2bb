import type { ThreadContext } from "../agents/adapter.ts";
import { inputError } from "../base/errors.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { silentLog } from "../base/log.ts";
import { agentFor } from "../config/agents.ts";
import type { Config } from "../config/config.ts";
import { addUsage } from "../llm/usage.ts";
import type { Store, ThreadRecord } from "../store/store.ts";
import { type AgentContext, readAgentContext } from "../thread/agent-context.ts";
import { stepsSpentSince, turnsSpent } from "../thread/spending.ts";
import { spentAbove } from "../thread/spent-above.ts";
import { stepBudget } from "../thread/step-budget.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import { outputSchema } from "../workflow/schema.ts";
import type { Role } from "../workflow/workflow.ts";
import { type AgentWorld, agentProgram, type Called } from "./agent-program.ts";
import { builtinSession } from "./builtin-session.ts";
import { storeStep } from "./store-step.ts";
import { tellEngine } from "./tell-engine.ts";
import { turnJournal } from "./turn-journal.ts";

/** The main of `uwf-builtin [--model alias] <thread> <role>`: the built-in loop of model and tools as a `step` agent. */
export const builtinAgentMain = (world: AgentWorld, signal: AbortSignal): Promise<void> =>
  agentProgram((called) => playStep(called, { world, signal }), world);

type Setting = { world: AgentWorld; signal: AbortSignal };

const playStep = async (called: Called, { world, signal }: Setting): Promise<Hash> => {
  const { thread, role: name, store, args } = called;
  const startedAt = Date.now();
  const config = await configOf(world.env);
  const about = await readAgentContext(store, { thread, role: name });
  const [record, role] = await Promise.all([recordOf(store, thread), roleOf(store, about)]);
  const history = await store.history(record.head);
  const { openEngine } = await import("../app.ts");
  const engine = await openEngine(config, { store, log: silentLog, emit: () => undefined });
  const agent = agentFor(
    config,
    { name: "uwf-builtin", agent: { adapter: "react" } },
    { role, model: modelIn(args) },
  );

  const before = addUsage(
    await spentAbove(store, { id: thread, start: history.start }),
    await stepsSpentSince(store, history, record.grantedAt),
  );
  const limits = { thread: history.start.limits, role: role.limits };
  const budget = stepBudget({ before, grantedAt: record.grantedAt }, limits);
  const tell = tellEngine(world);
  const journal = turnJournal({ store, tell, budget });
  for (const text of [about.task, ...about.notes])
    await journal.append({ kind: "message", text, at: Date.now() });
  const kept: Hash[] = [];
  const session = builtinSession({ engine, record, history, role, about, world, kept });
  const play = engine.adapterOf(agent, session)(about.systemPrompt, outputSchema(about.outputSchema));
  const context: ThreadContext = {
    ...{ threadId: thread, depth: history.start.depth, workflow: history.start.workflow },
    ...{ start: history.start, steps: about.steps, role: name, task: about.task, signal, journal },
  };
  const output = (await play(context).finally(async () => {
    const limit = budget.reached(journal.turns);
    if (limit !== null) await tell({ limit });
  })) as Json;
  const { usage } = turnsSpent(journal.turns, 0);
  const played = { output, turns: journal.tip(), refs: kept, usage, startedAt, finishedAt: Date.now() };
  return storeStep(store, about, played);
};

/** As the engine was told to run: a sandbox that it goes without, its agents go without as well. */
const configOf = async (env: AgentWorld["env"]): Promise<Config> => {
  const { loadConfig } = await import("../config/load-config.ts");
  const config = loadConfig({ env });
  return env.UWF_SANDBOX === "none" ? { ...config, sandbox: { ...config.sandbox, kind: "none" } } : config;
};

const modelIn = (args: readonly string[]): string | null => {
  const [option, alias, ...more] = args;
  if (option === undefined) return null;
  if (option === "--model" && alias !== undefined && more.length === 0) return alias;
  throw inputError("usage", "uwf-builtin takes [--model <alias>] <thread> <role>");
};

const recordOf = async (store: Store, thread: ThreadId): Promise<ThreadRecord> => {
  const record = await store.thread(thread);
  if (record === undefined) throw inputError("thread-unknown", `There is no thread ${thread}.`);
  return record;
};

const roleOf = async (store: Store, about: AgentContext): Promise<Role> => {
  const { roles } = await loadStoredWorkflow(store, about.workflow.hash);
  const role = roles[about.role];
  if (role === undefined) throw inputError("role-unknown", `There is no role "${about.role}".`);
  return role;
};
