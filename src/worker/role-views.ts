import type { RoleView } from "../forge/text/thread-view.ts";
import type { ThreadStatus } from "../store/store.ts";
import { decide, suspension } from "../thread/moderator.ts";
import { START } from "../workflow/workflow.ts";
import { outputSummary, publishedSummary } from "./output-summary.ts";
import { rolesAhead } from "./roles-ahead.ts";
import { isApproved, type Situation } from "./situation.ts";

/** The role that works, or would when the thread went on: what the moderator says. Null when none would. */
const roleNow = async (situation: Situation): Promise<string | null> => {
  const { record, history, workflow } = situation;
  if (record.status === "completed" || record.status === "suspended") return null;
  const { start, steps, end } = history;
  const decision = await decide(workflow, {
    input: start.input,
    trigger: start.trigger ?? "",
    steps: steps.map(({ step, output }) => ({ role: step.role, task: step.task, output })),
    resumed: { note: record.note, completed: end?.status === "completed" },
    approved: isApproved(situation),
  });
  return decision.kind === "run" ? decision.role : null;
};

/** Steps in their order, the role that is at work or would go on, and those that may come. */
export const roleViews = async (situation: Situation): Promise<RoleView[]> => {
  const { record, history, workflow, turns } = situation;
  const { status } = record;
  const { start, steps } = history;
  const below = await viewsBelow(situation);
  const failed = new Set<string | undefined>(
    situation.children.filter((each) => each.record.status === "failed").map((each) => each.record.id),
  );
  const done = steps.map(({ step, output }, index): RoleView => {
    const child = step.childThreadId;
    const isLast = !steps.slice(index + 1).some((later) => later.step.childThreadId === child);
    const question = suspension(output);
    return {
      name: step.role,
      state: failed.has(child) ? "failed" : question === null ? "done" : "asked",
      summary:
        question ??
        (step.published === null ? outputSummary(output) : publishedSummary(step.published, output)),
      ms: step.finishedAt - step.startedAt,
      usage: step.usage,
      since: null,
      within: child === undefined || !isLast ? [] : (below.get(child) ?? []).filter(hasBegun),
    };
  });
  if (status === "completed") return done;
  const atWork = await roleNow(situation);
  const since = record.tip === null ? record.updatedAt : (turns[0]?.at ?? record.updatedAt);
  const now =
    atWork === null
      ? []
      : [
          {
            ...open(atWork, STATES[status]),
            ...(status === "running" && { since }),
            within: underWay(situation, below),
          },
        ];
  const from = atWork ?? steps.at(-1)?.step.role ?? START;
  const ahead = await rolesAhead(workflow, { from, trigger: start.trigger ?? "", input: start.input });
  const seen = new Set([...done, ...now].map(({ name }) => name));
  return [...done, ...now, ...ahead.filter((name) => !seen.has(name)).map((name) => open(name, "waiting"))];
};

/** The visits in each thread that plays a role, by its id. */
const viewsBelow = async ({ children }: Situation): Promise<Map<string, RoleView[]>> =>
  new Map(
    await Promise.all(children.map(async (child) => [child.record.id, await roleViews(child)] as const)),
  );

/** Those of the thread that plays the role which is at work: no finished step has it yet. */
const underWay = (
  { children, history }: Situation,
  below: ReadonlyMap<string, RoleView[]>,
): readonly RoleView[] => {
  const known = new Set(history.steps.map(({ step }) => step.childThreadId));
  const child = children.find(({ record }) => !known.has(record.id));
  return child === undefined ? [] : (below.get(child.record.id) ?? []);
};

const hasBegun = ({ state }: RoleView): boolean => state !== "waiting";

const STATES: Readonly<Record<ThreadStatus, RoleView["state"]>> = {
  queued: "waiting",
  running: "running",
  paused: "waiting",
  suspended: "waiting",
  completed: "waiting",
  failed: "failed",
  cancelled: "waiting",
};

const open = (name: string, state: RoleView["state"]): RoleView => ({
  name,
  state,
  summary: null,
  ms: null,
  usage: null,
  since: null,
  within: [],
});
