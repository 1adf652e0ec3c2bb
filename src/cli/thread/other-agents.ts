import type { Hash } from "../../base/ids.ts";
import { askedAgents } from "../../config/asked-agents.ts";
import { bindAgents } from "../../config/bind-agents.ts";
import { modelNamed } from "../../config/models.ts";
import type { Store, ThreadRecord } from "../../store/store.ts";
import type { OtherAgents } from "../../thread/fork-agents.ts";
import { pinnedIn } from "../../thread/pinned.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Context } from "../context.ts";
import type { EngineSession } from "../engine-session.ts";
import { findWorkflowHere } from "../workflow/find-here.ts";

export type Asked = {
  /** As `--agent` says it. */
  agents: readonly string[];
  /** A model's alias; undefined: those that the agents have. */
  model: string | undefined;
};

/**
 * Who is to play in a fork instead of those that the thread is pinned to. Workflows that play roles stay the pinned ones.
 * Throws as `askedAgents`, `bindAgents` and `modelNamed` do.
 */
export const otherAgentsHere = async (
  { store, config }: Pick<EngineSession, "store" | "config">,
  thread: ThreadRecord,
  { agents: texts, model }: Asked,
  { env, cwd }: Pick<Context, "env" | "cwd">,
): Promise<OtherAgents> => {
  const alias = model === "default" ? config.defaultModel : model;
  const others: OtherAgents =
    alias === undefined ? {} : { model: { model: alias, modelName: modelNamed(config, alias).model.name } };
  if (texts.length === 0) return others;
  const start = await store.load("thread-start", thread.start);
  const workflow = await pinnedIn(store).workflow(start.workflow);
  const asked = askedAgents(texts, { agents: config.agents, searchPath: env.PATH ?? "", cwd });
  const bound = await bindAgents(config, workflow, {
    model: alias ?? null,
    asked,
    findWorkflow: async (name) =>
      (await pinnedWorkflow(store, Object.values(start.agents), name)) ??
      (await findWorkflowHere(name, { store, cwd })).workflow,
  });
  // A role of a workflow that plays one is bound with that one.
  const all =
    asked.others !== null || [...asked.roles.keys()].some((role) => start.agents[role] === undefined);
  const byRole = Object.fromEntries(
    Object.entries(bound.agents).filter(([role]) => all || asked.roles.has(role)),
  );
  return { ...others, agents: { byRole, nodes: bound.nodes } };
};

/** The workflow of this name that plays a role for these agents; undefined when none does. */
const pinnedWorkflow = async (
  store: Store,
  agents: readonly Hash[],
  name: string,
): Promise<Workflow | undefined> => {
  for (const hash of new Set(agents)) {
    const agent = await pinnedIn(store).agent(hash);
    if (agent.adapter !== "workflow" || agent.workflow === null) continue;
    if (agent.name === name) return pinnedIn(store).workflow(agent.workflow);
    const inner = await pinnedWorkflow(store, Object.values(agent.agents), name);
    if (inner !== undefined) return inner;
  }
  return undefined;
};
