import type { Hash } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import type { History, StepRecord } from "../../store/store.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { pinnedIn } from "../pinned.ts";
import { compareFiles } from "./compare-files.ts";
import type { ReplayPlace } from "./drift.ts";
import { type Hearing, hearing } from "./hearing.ts";
import { openRole } from "./open-role.ts";
import type { Playback } from "./playback.ts";
import { replayDecision } from "./replay-decision.ts";
import { replayOutput } from "./replay-output.ts";
import { type Heard, replayTurns } from "./replay-turns.ts";

type End = Payload<"thread-end">;
type Turn = Payload<"turn">;

export type Recorded = {
  history: History;
  /** The last turn of the step that is under way; null: none is. */
  tip: Hash | null;
  /** How the thread stopped, where that is for the workflow to decide. */
  stopped: "completed" | "suspended" | null;
  within: readonly string[];
};

type Told = Recorded & { workflow: Workflow };

/** Plays every step of a thread that was not played yet, and what there is of an unfinished one. */
export const replaySteps = async (playback: Playback, recorded: Recorded): Promise<void> => {
  const workflow = await pinnedIn(playback.recorded).workflow(recorded.history.start.workflow);
  const told = { ...recorded, workflow };
  const instead = playback.insteadOf(workflow, recorded.within);
  const own = { ...playback, instead };
  for (const [index, record] of recorded.history.steps.entries()) {
    if (playback.played.has(record.hash)) continue;
    playback.played.add(record.hash);
    await replayStep(own, told, { record, index });
  }
  await replayRest(own, told);
};

const replayStep = async (
  playback: Playback,
  told: Told,
  { record, index }: { record: StepRecord; index: number },
): Promise<void> => {
  const { history, workflow, within } = told;
  const { step } = record;
  const place: ReplayPlace = { step: index + 1, role: step.role, within };
  const before = history.steps[index - 1];
  const ends = await endsIn(playback, step.refs);
  const begun = before?.step.workspace ?? history.start.workspace;
  const filesAt = (end: End | undefined): Hash | null => end?.workspace ?? begun;
  for (const [earlier, { turns, workspace }] of ends.entries())
    if (turns !== null)
      await replayOpen(playback, told, {
        ...{ place, agent: step.agent, turns, workspace, earlier, begun: null },
        files: filesAt(ends[earlier - 1]),
      });
  const heard = hearing(place, (turn) => replayChild(playback, turn, place));
  const completed = ends.at(-1)?.status === "completed";
  await replayDecision(playback, { workflow, history, index, followed: step, completed, heard: heard.heard });
  // The directory was given back when the thread ended, and a fork has one of its own.
  const isNew = ends.length > 0 || (before !== undefined && before.step.start !== step.start);
  if (isNew && within.length === 0) await playback.renew();
  await play(playback, told, {
    ...{ place, agent: step.agent, turns: step.turns, heard: heard.heard },
    files: filesAt(ends.at(-1)),
  });
  await replayOutput(playback, { workflow, record, heard: heard.heard });
  await settleFiles(playback, step.workspace, heard);
  playback.onStep(heard.done(true));
};

/** What was done of a step that did not finish, and whether the workflow stops where the thread has. */
const replayRest = async (playback: Playback, told: Told): Promise<void> => {
  const { history, workflow, within, stopped, tip } = told;
  const index = history.steps.length;
  const ends = history.end === null ? [] : await withEarlier(playback, history.end);
  const tries = [...ends, ...(tip === null ? [] : [{ turns: tip, workspace: null }])];
  for (const [earlier, { turns, workspace }] of tries.entries()) {
    if (turns === null) continue;
    const completed = ends[earlier - 1]?.status === "completed";
    const begun = await openRole(playback.recorded, told, { turns, completed });
    const agent = history.start.agents[begun?.role ?? ""];
    if (begun === null || agent === undefined) continue;
    const place: ReplayPlace = { step: index + 1, role: begun.role, within };
    const last = history.steps.at(-1)?.step.workspace ?? history.start.workspace;
    const open = {
      ...{ place, agent, turns, workspace, earlier },
      files: ends[earlier - 1]?.workspace ?? last,
    };
    await replayOpen(playback, told, { ...open, begun: { ...begun, completed } });
  }
  if (stopped === null) return;
  const place: ReplayPlace = { step: index, role: history.steps.at(-1)?.step.role ?? "", within };
  const heard = hearing(place, async () => undefined);
  const asked = { workflow, history, index, followed: stopped, completed: false };
  await replayDecision(playback, { ...asked, heard: heard.heard });
  const end = heard.done(true);
  if (end.drift.length > 0) playback.onStep(end);
};

type Open = {
  place: ReplayPlace;
  agent: Hash;
  turns: Hash;
  workspace: Hash | null;
  /** The files before it. */
  files: Hash | null;
  /** How often the thread had ended since the step before; its directory was given back each time. */
  earlier: number;
  /** What another workflow has to go on with as well; null where the step that was finished then says it. */
  begun: { role: string; task: string; completed: boolean } | null;
};

/** An end after which nothing was done has the turns of the one before. */
const replayOpen = async (playback: Playback, told: Told, open: Open): Promise<void> => {
  const { place, workspace, begun } = open;
  if (playback.played.has(open.turns)) return;
  playback.played.add(open.turns);
  if (open.earlier > 0 && place.within.length === 0) await playback.renew();
  const heard = hearing(place, (turn) => replayChild(playback, turn, place));
  if (begun !== null && playback.instead !== null) {
    const { workflow, history } = told;
    const { completed, ...followed } = begun;
    const asked = { workflow, history, index: history.steps.length, followed, completed };
    await replayDecision(playback, { ...asked, heard: heard.heard });
  }
  await play(playback, told, { ...open, heard: heard.heard });
  await settleFiles(playback, workspace, heard);
  playback.onStep(heard.done(false));
};

type Playing = Pick<Open, "place" | "agent" | "files"> & { turns: Hash | null; heard: Heard };

const play = async (
  playback: Playback,
  { history, workflow }: Told,
  { place, agent: hash, turns: tip, files, heard }: Playing,
): Promise<void> => {
  const role = workflow.roles[place.role];
  const agent = await playback.recorded.load("agent", hash);
  if (agent.adapter === "command") {
    heard.remark(`not replayed: an external agent (${agent.name})`);
    heard.unsure(null);
    return;
  }
  if (agent.adapter === "designer") {
    heard.remark("taken from the record: a conversation");
    heard.unsure(null);
    return;
  }
  if (tip === null || role === undefined) return;
  const turns: Turn[] = await playback.recorded.turns(tip);
  const before = history.steps[place.step - 2]?.hash ?? null;
  const setup = history.start.settings?.setup ?? [];
  await replayTurns(playback, turns, { role, agent, setup, before, files, heard });
};

/** The ends that a step goes on from, oldest first, when a person let the thread go on. */
const endsIn = async (playback: Playback, refs: readonly Hash[]): Promise<End[]> => {
  const nodes = await Promise.all(refs.map((hash) => playback.recorded.get(hash)));
  const ends = nodes.flatMap((node) => (node?.type === "thread-end" ? [node.payload] : []));
  return (await Promise.all(ends.map((end) => withEarlier(playback, end)))).flat();
};

/** A thread may have ended several times without finishing a step. */
const withEarlier = async ({ recorded }: Playback, last: End): Promise<End[]> => {
  const ends = [last];
  for (let { after } = last; after !== undefined; ) {
    const end: End = await recorded.load("thread-end", after);
    ends.unshift(end);
    after = end.after;
  }
  return ends;
};

/**
 * Compares the files, and goes on with those that were recorded, so that one difference is told once. On another commit
 * they cannot be put there: what was told before is left out then.
 */
const settleFiles = async (playback: Playback, workspace: Hash | null, { heard }: Hearing): Promise<void> => {
  if (workspace === null) return;
  const { scratch, stage } = playback;
  const captured = await stage.capture();
  if (captured === null || captured === workspace) return;
  const [was, is] = await Promise.all([
    playback.recorded.load("workspace", workspace),
    scratch.load("workspace", captured),
  ]);
  if (was.tree === is.tree && was.base === is.base) return;
  for (const { kind, what, diff } of await compareFiles(scratch, was, is)) {
    const key = `${what}\n${diff.join("\n")}`;
    if (was.base !== is.base && playback.told.has(key)) continue;
    playback.told.add(key);
    heard.drift(kind, what, { diff });
  }
  if (was.base === is.base) await stage.put(workspace);
};

/** A thread that played a role worked in the same workspace. */
const replayChild = async (
  playback: Playback,
  turn: Extract<Turn, { kind: "child" }>,
  { role, within }: ReplayPlace,
): Promise<void> => {
  const history = await playback.recorded.history(turn.childHash);
  const stopped = turn.status === "completed" || turn.status === "suspended" ? turn.status : null;
  await replaySteps(playback, { history, tip: null, stopped, within: [...within, role] });
};
