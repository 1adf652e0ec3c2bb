import type { Hash } from "../../base/ids.ts";
import type { ThreadRecord } from "../../store/store.ts";
import { workflowNodes } from "../../workflow/nodes.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { pinnedIn } from "../pinned.ts";
import type { Replay, ReplayedStep } from "./drift.ts";
import type { Playback, ReplayParts } from "./playback.ts";
import { replaySteps } from "./replay-steps.ts";
import { openStage } from "./stage.ts";

export type ReplayOptions = {
  signal: AbortSignal;
  /** Decides instead of the recorded workflow: of the thread that has its name, or else of the one that is replayed. */
  workflow?: Workflow | undefined;
  /** Told of each step as soon as it is played. */
  onStep?: ((step: ReplayedStep) => void) | undefined;
};

/**
 * Plays a thread again from its recorded turns, in a workspace of its own that begins with the same commit, without asking a model:
 * tools run again, and every difference from the record is told. Nothing is published or stored; the workspace is removed.
 * Throws what opening a workspace throws, and the signal's reason.
 */
export const replayThread = async (
  parts: ReplayParts,
  record: Pick<ThreadRecord, "id" | "head" | "tip" | "status">,
  { signal, workflow: given, onStep }: ReplayOptions,
): Promise<Replay> => {
  const { recorded } = parts;
  const history = await recorded.history(record.head);
  const first = history.steps[0]?.step.start;
  const begun = first === undefined ? history.start : await recorded.load("thread-start", first);
  const pinned = await pinnedIn(recorded).workflow(history.start.workflow);
  const inner = given === undefined ? false : await plays(parts, Object.values(begun.agents), given.name);
  const steps: ReplayedStep[] = [];
  const stage = await openStage(parts, begun);
  try {
    const playback: Playback = {
      ...parts,
      stage,
      signal,
      times: { recordedFrom: begun.createdAt, from: Date.now() },
      insteadOf: ({ name }, within) =>
        given !== undefined && (name === given.name || (within.length === 0 && !inner)) ? given : null,
      instead: null,
      played: new Set(),
      told: new Set(),
      onStep: (step) => {
        steps.push(step);
        onStep?.(step);
      },
      renew: async (files) => stage.renew(files === undefined ? await stage.capture() : files),
    };
    const { status } = record;
    const stopped = status === "completed" || status === "suspended" ? status : null;
    await replaySteps(playback, { history, tip: record.tip, stopped, within: [] });
  } finally {
    await stage.close();
  }
  const decides = given ?? pinned;
  return {
    thread: record.id,
    workflow: { name: decides.name, hash: workflowNodes(decides).workflow.hash },
    steps,
    drift: steps.flatMap(({ drift }) => drift),
    remarks: steps.flatMap(({ remarks }) => remarks),
  };
};

/** Whether a workflow of this name plays a role among these agents. */
const plays = async (parts: ReplayParts, agents: readonly Hash[], name: string): Promise<boolean> => {
  for (const hash of new Set(agents)) {
    const agent = await parts.recorded.load("agent", hash);
    if (agent.adapter !== "workflow") continue;
    if (agent.name === name || (await plays(parts, Object.values(agent.agents), name))) return true;
  }
  return false;
};
