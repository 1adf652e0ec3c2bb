import { bugError } from "../base/errors.ts";
import { newThreadId, type ThreadId } from "../base/ids.ts";
import { installationOf, placeOf, repositoryKey } from "../forge/keys.ts";
import type { LeftOut } from "../forge/text/shown/left-out.ts";
import { makeNode, type Node } from "../store/node.ts";
import type { Payload, RepositorySettings, Source } from "../store/payload.ts";
import type { Store, ThreadRecord } from "../store/store.ts";
import { workflowNodes } from "../workflow/nodes.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { repositoryName } from "../workspace/repository-name.ts";

export type NewThread = {
  id?: ThreadId;
  workflow: Workflow;
  input: string;
  /** See `thread-start`. */
  leftOut?: LeftOut;
  /** One line for lists. */
  title: string;
  /** See `ThreadRecord`. */
  subject: string | null;
  source: Source | null;
  /** See `thread-start`. */
  trigger?: string;
  asked?: Payload<"thread-start">["asked"];
  settings?: RepositorySettings;
  /** The commit to work on and its tree, when there is a repository. */
  base: { commit: string; tree: string } | null;
  limits: Payload<"thread-start">["limits"];
  /** Who plays each role: pinned now, whatever the configuration says later. */
  agents: Readonly<Record<string, Payload<"agent">>>;
  /** What these agents refer to. */
  agentNodes?: readonly Node[];
  now: number;
};

/** Creates a thread, queued. With an `id` that is there already, answers that thread: triggers may come twice. */
export const startThread = async (store: Store, thread: NewThread): Promise<ThreadRecord> => {
  const existing = thread.id === undefined ? undefined : await store.thread(thread.id);
  if (existing !== undefined) return existing;
  const id = thread.id ?? newThreadId(thread.now);
  const { nodes, start } = startNodes(thread);
  const record: ThreadRecord = {
    id,
    workflow: thread.workflow.name,
    title: thread.title,
    subject: thread.subject,
    ...lineOf(thread.source),
    start: start.hash,
    head: start.hash,
    tip: null,
    begun: [],
    status: "queued",
    reason: null,
    note: null,
    grantedAt: 0,
    dueAt: 0,
    admitted: false,
    createdAt: thread.now,
    updatedAt: thread.now,
  };
  await store.createThread(record, nodes);
  return record;
};

/** The line that a forge's threads wait in. Those on a local repository are run where they were made. */
const lineOf = (source: Source | null): Pick<ThreadRecord, "installation" | "repository"> => {
  const place = source === null ? null : placeOf(source);
  if (place === null) return { installation: null, repository: null };
  return { installation: installationOf(place), repository: repositoryKey(place) };
};

const leftOutOf = ({ leftOut = {} }: Pick<NewThread, "leftOut">): { leftOut?: LeftOut } =>
  Object.keys(leftOut).length === 0 ? {} : { leftOut };

const startNodes = (thread: NewThread): { nodes: Node[]; start: Node<"thread-start"> } => {
  const definition = workflowNodes(thread.workflow);
  const nodes: Node[] = [...definition.nodes, ...(thread.agentNodes ?? [])];
  const agents: Record<string, Node<"agent">["hash"]> = {};
  for (const role of Object.values(thread.workflow.roles)) {
    const bound = thread.agents[role.name];
    if (bound === undefined) throw bugError(`no agent is bound to ${role.name}`);
    const agent = makeNode("agent", bound);
    nodes.push(agent);
    agents[role.name] = agent.hash;
  }
  const { base, source } = thread;
  const workspace =
    base === null || source === null
      ? null
      : makeNode("workspace", {
          repository: repositoryName(source),
          base: base.commit,
          tree: base.tree,
          files: [],
        });
  if (workspace !== null) nodes.push(workspace);
  const start = makeNode("thread-start", {
    workflow: definition.workflow.hash,
    agents,
    input: thread.input,
    ...leftOutOf(thread),
    ...(thread.trigger === undefined ? {} : { trigger: thread.trigger }),
    ...(thread.asked === undefined ? {} : { asked: thread.asked }),
    ...(thread.settings === undefined ? {} : { settings: thread.settings }),
    depth: 0,
    parentThread: null,
    source,
    workspace: workspace?.hash ?? null,
    limits: thread.limits,
    createdAt: thread.now,
  });
  nodes.push(start);
  return { nodes, start };
};
