import type { CommandName, RoleView, ThreadView } from "../forge/text/thread-view.ts";
import { addUsage } from "../llm/usage.ts";
import type { History, Store, ThreadRecord } from "../store/store.ts";
import { stepsSpent, turnsSpent } from "../thread/spending.ts";
import { isEnded } from "../thread/state.ts";
import { roleOrder } from "../workflow/role-order.ts";
import { outputSummary } from "./output-summary.ts";

/** Slash commands come with comment events; until then the label is the only way in. */
const COMMANDS: readonly CommandName[] = [];

/** Everything that people are shown about a thread, from its record. `running` is the role at work, if one is. */
export const readThreadView = async (
  store: Store,
  record: ThreadRecord,
  { running, now }: { running: string | null; now: number },
): Promise<ThreadView> => {
  const history = await store.history(record.head);
  const workflow = await store.load("workflow", history.start.workflow);
  const [branch, pull] = await Promise.all([
    store.link(record.id, "branch"),
    store.link(record.id, "pull-request"),
  ]);
  const open = record.tip ?? history.end?.turns ?? null;
  const unfinished = turnsSpent(open === null ? [] : await store.turns(open), 0).usage;
  const until = isEnded(record.status) ? record.updatedAt : now;
  return {
    thread: record.id,
    workflow: record.workflow,
    state: record.status,
    reason: record.reason,
    roles: roleViews(history, { names: roleOrder(workflow), running, status: record.status }),
    branch: branch === undefined ? null : { name: branch, url: null },
    pullRequest: pull === undefined ? null : (JSON.parse(pull) as NonNullable<ThreadView["pullRequest"]>),
    usage: addUsage(stepsSpent(history), unfinished),
    ms: until - record.createdAt,
    commands: COMMANDS,
  };
};

const roleViews = (
  { steps }: History,
  {
    names,
    running,
    status,
  }: { names: readonly string[]; running: string | null; status: ThreadRecord["status"] },
): RoleView[] => {
  const done = steps.map(
    ({ step, output }): RoleView => ({
      name: step.role,
      state: "done",
      summary: outputSummary(output),
      ms: step.finishedAt - step.startedAt,
      usage: step.usage,
    }),
  );
  const open = (name: string, state: RoleView["state"]): RoleView => ({
    name,
    state,
    summary: null,
    ms: null,
    usage: null,
  });
  const now =
    running === null || status === "completed"
      ? []
      : [open(running, status === "failed" ? "failed" : status === "running" ? "running" : "waiting")];
  const seen = new Set([...steps.map(({ step }) => step.role), ...now.map(({ name }) => name)]);
  const later =
    status === "completed"
      ? []
      : names.filter((name) => !seen.has(name)).map((name) => open(name, "waiting"));
  return [...done, ...now, ...later];
};
