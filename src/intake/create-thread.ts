import type { ThreadId } from "../base/ids.ts";
import type { AskedAgents } from "../config/agents.ts";
import { type BoundAgents, bindAgents } from "../config/bind-agents.ts";
import type { Config } from "../config/config.ts";
import type { LeftOut } from "../forge/text/shown/left-out.ts";
import type { Node } from "../store/node.ts";
import type { Payload, RepositorySettings, Source } from "../store/payload.ts";
import type { Store, ThreadRecord } from "../store/store.ts";
import { startThread } from "../thread/start.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { repositoryName } from "../workspace/repository-name.ts";
import type { Workspaces } from "../workspace/workspace.ts";

export type CreateThreadParts = { config: Config; store: Store; workspaces: Workspaces; now: () => number };

export type ThreadRequest = {
  id?: ThreadId;
  workflow: Workflow;
  title: string;
  input: string;
  /** See `thread-start`. */
  leftOut?: LeftOut;
  subject: string | null;
  /** See `thread-start`. */
  trigger?: string;
  /** What the command asked for, to be kept for whoever repeats it. */
  command?: Payload<"thread-start">["asked"];
  settings?: RepositorySettings;
  /**
   * The repository, and the branch to work from; null: the pull request's where there is one, else the source's default
   * branch.
   */
  source: (Omit<Source, "defaultBranch"> & { branch: string | null }) | null;
  /** A model alias for every role; null: as configured. */
  model: string | null;
  /** Agents that a person asked for. Absent: as configured. */
  asked?: AskedAgents | null;
  /** Finds the workflows that play roles, by name. */
  findWorkflow(name: string): Promise<Workflow>;
  /** Throws what is wrong with the workflow, or with those that play roles in it, for this work. */
  check?: (roles: readonly PlayedRole[]) => void;
  /** US dollars, null: no limit; undefined: as configured. */
  budgetUsd?: number | null;
  signal: AbortSignal;
  /** Asked right before the thread is stored. Throws when it may not be. */
  confirm?: () => Promise<void>;
};

/** A role of the workflow, or of one that plays a role in it. */
export type PlayedRole = Pick<Payload<"role">, "approval" | "publish">;

/**
 * Creates a thread, queued, on the repository as it is now: the base commit, the agents and their models are pinned.
 * Throws what fetching throws (`repository-missing` and so on), `agent-unknown`, `model-unconfigured`, and what `check` throws; nothing is
 * left behind then but the mirror.
 */
export const createThread = async (
  parts: CreateThreadParts,
  request: ThreadRequest,
): Promise<ThreadRecord> => {
  const { config, store, workspaces, now } = parts;
  const { workflow, source, signal } = request;
  const { agents, nodes } = await bindAgents(config, workflow, request);
  request.check?.([...Object.values(workflow.roles), ...rolesIn(nodes)]);
  const fetched =
    source === null
      ? null
      : await workspaces.fetch({ repository: repositoryName(source) }, { ...tipOf(source), signal });
  await request.confirm?.();
  return startThread(store, {
    ...(request.id === undefined ? {} : { id: request.id }),
    workflow,
    input: request.input,
    ...(request.leftOut === undefined ? {} : { leftOut: request.leftOut }),
    title: request.title,
    subject: request.subject,
    ...(request.trigger === undefined ? {} : { trigger: request.trigger }),
    ...(request.command === undefined ? {} : { asked: request.command }),
    ...(request.settings === undefined ? {} : { settings: settingsFor(request.settings, agents) }),
    source: source === null || fetched === null ? null : pinned(source, fetched.branch),
    base: fetched,
    limits: {
      pauseAfterRounds: config.limits.pauseAfterRounds,
      budgetUsd: request.budgetUsd === undefined ? config.limits.budgetUsd : request.budgetUsd,
      budgetTokens: config.limits.budgetTokens,
      ...(config.limits.turnUsd === null ? {} : { turnUsd: config.limits.turnUsd }),
    },
    agents,
    agentNodes: nodes,
    now: now(),
  });
};

/** Where no role runs a command, the workspace needs no making ready. */
const settingsFor = (settings: RepositorySettings, agents: BoundAgents["agents"]): RepositorySettings =>
  Object.values(agents).every(({ adapter }) => adapter === "designer")
    ? { ...settings, setup: [] }
    : settings;

const rolesIn = (nodes: readonly Node[]): PlayedRole[] =>
  nodes.flatMap((node) => (node.type === "role" ? [node.payload] : []));

/** A branch of another repository is had by its pull request's number. */
const tipOf = ({ branch, pullRequest, repository }: NonNullable<ThreadRequest["source"]>) => {
  if (branch !== null || pullRequest === undefined) return { branch };
  return pullRequest.repository === repository
    ? { branch: pullRequest.branch }
    : { branch: null, pullRequest: pullRequest.number };
};

const pinned = (
  { branch: _, ...source }: NonNullable<ThreadRequest["source"]>,
  defaultBranch: string,
): Source => ({
  ...source,
  defaultBranch,
});
