import { CUT_OFF, NOT_RUN } from "../../agents/loop-texts.ts";
import { isResolve, readCall } from "../../agents/read-call.ts";
import { isAbort, messageOf } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import { shortDiff } from "../../base/line-diff.ts";
import type { Agent } from "../../store/agent-payload.ts";
import type { Payload } from "../../store/payload.ts";
import { builtinTools } from "../../tools/builtin.ts";
import type { ToolAnswer } from "../../tools/tool.ts";
import { type Toolbox, toolbox } from "../../tools/toolbox.ts";
import type { Role } from "../../workflow/workflow.ts";
import { MOVED } from "../open-workspace.ts";
import { reachedNodes } from "../reached-nodes.ts";
import { runSetup } from "../set-up.ts";
import { setupIn } from "../setup-text.ts";
import type { DriftKind, ReplayedCall } from "./drift.ts";
import type { RunTimes } from "./hide-times.ts";
import type { Playback } from "./playback.ts";
import { replayMove } from "./replay-move.ts";
import { comparable, type Writer } from "./same-text.ts";

type Turn = Payload<"turn">;
type ToolTurn = Extract<Turn, { kind: "tool" }>;
type ChildTurn = Extract<Turn, { kind: "child" }>;

/** What is told of a step while its turns are replayed. */
export type Heard = {
  drift(kind: DriftKind, what: string, more?: { call?: ReplayedCall; diff?: readonly string[] }): void;
  remark(what: string, call?: ReplayedCall): void;
  ran(): void;
  /** From here to the step's end nobody knows what the files should be; `why` is told with what would have been drift, null: nothing is. */
  unsure(why: string | null): void;
  child(turn: ChildTurn): Promise<void>;
};

type Played = {
  role: Role;
  agent: Agent;
  setup: readonly string[];
  /** The step before, and the files before this one. */
  before: Hash | null;
  files: Hash | null;
};

/**
 * Plays the turns of a step again, in their order: the recorded replies stand in for the model, the calls of tools run in the
 * stage's workspace, and each answer is compared. Throws the signal's reason.
 */
export const replayTurns = async (
  playback: Playback,
  turns: readonly Turn[],
  { heard, ...played }: Played & { heard: Heard },
): Promise<void> => {
  const seen = new Map<string, string>();
  const asked = new Map<string, { name: string; arguments: string; id: string }>();
  const box = boxOf(playback, { ...played, seen, tip: () => tip });
  let tip: Hash | null = null;
  let number = 0;
  for (const [index, turn] of turns.entries()) {
    playback.signal.throwIfAborted();
    tip = turn.prev;
    switch (turn.kind) {
      case "message":
        if (turn.text === MOVED)
          await replayMove(playback, {
            ...{ turns: turns.slice(0, index), files: played.files },
            ...{ box: box(), heard },
          });
        else if (setupIn(turn.text).length > 0) await replaySetup(playback, turn, { ...played, heard });
        break;
      case "reply":
        for (const call of turn.toolCalls) asked.set(call.id, call);
        break;
      case "compaction":
        seen.clear();
        break;
      case "tool": {
        const call = asked.get(turn.callId);
        if (call === undefined || isResolve(call)) break;
        number++;
        const about: ReplayedCall = { number, name: turn.name, arguments: call.arguments };
        const answer = await replayCall(playback, turn, { call, about, box, played, heard });
        for (const [path, hash] of Object.entries(answer?.seen ?? turn.seen)) seen.set(path, hash);
        break;
      }
      case "child":
        await heard.child(turn);
    }
  }
};

/** A role's built-in tools; what servers answer comes from the record. */
const boxOf = (
  { stage, recorded, signal, redact = (text) => text }: Playback,
  { role, seen, before, tip }: Played & { seen: Map<string, string>; tip: () => Hash | null },
): (() => Toolbox) => {
  const tools = builtinTools.filter(({ name }) => role.tools === null || role.tools.includes(name));
  const nodes = reachedNodes(recorded, () => [before, tip()].filter((hash) => hash !== null));
  const patchFailures = new Map<string, number>();
  // The workspace is another one after it was made anew.
  return () => toolbox(tools, { workspace: stage.workspace(), signal, seen, nodes, patchFailures, redact });
};

type Call = { name: string; arguments: string; id: string };
type Replaying = { call: Call; about: ReplayedCall; box: () => Toolbox; played: Played; heard: Heard };

const replayCall = async (
  playback: Playback,
  turn: ToolTurn,
  { call, about, box, played, heard }: Replaying,
): Promise<ToolAnswer | null> => {
  if (!turn.ok && turn.text === NOT_RUN) return null;
  if (!turn.ok && turn.text === CUT_OFF) {
    heard.remark("not run again: it was cut off, and nobody knows how far it had come", about);
    if (box().effect(turn.name) === "write") heard.unsure("a call before was cut off");
    return null;
  }
  const { definitions } = box();
  const hasServers = played.agent.adapter === "react" && (played.agent.mcp ?? []).length > 0;
  const read = readCall(call, definitions);
  if (read.kind === "refuse" && hasServers && !definitions.some((each) => each.function.name === turn.name)) {
    heard.remark("taken from the record: a tool of a server, which may have effects outside", about);
    return null;
  }
  const startedAt = performance.now();
  const answer = read.kind === "refuse" ? { ok: false, text: read.text } : await run(playback, read, box());
  heard.ran();
  const ms = performance.now() - startedAt;
  const diff = compare(playback, turn, {
    now: { text: answer.text.toWellFormed(), ms },
    writer: turn.name === "shell_exec" ? "program" : "engine",
  });
  const what =
    answer.ok === turn.ok
      ? "It answers something else."
      : answer.ok
        ? "It succeeds, and failed."
        : "It fails, and succeeded.";
  if (answer.ok !== turn.ok || diff.length > 0) heard.drift("answer", what, { call: about, diff });
  return answer;
};

const run = async (
  { signal }: Playback,
  read: { name: string; args: string },
  box: Toolbox,
): Promise<ToolAnswer> => {
  try {
    return await box.run(read.name, JSON.parse(read.args), { signal });
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    return { ok: false, text: `${read.name} failed: ${messageOf(error)}` };
  }
};

type Said = { text: string; at: number; ms: number };

/** The lines that differ once what necessarily differs is taken away; none when nothing does. */
const compare = (
  { times }: Playback,
  recorded: Said,
  { now, writer }: { now: Pick<Said, "text" | "ms">; writer: Writer },
): string[] => {
  if (recorded.text === now.text) return [];
  const runs: RunTimes[] = [
    { from: times.recordedFrom, to: recorded.at, ms: recorded.ms },
    { from: times.from, to: Date.now(), ms: now.ms },
  ];
  const [before, after] = [recorded.text, now.text].map((text) => comparable(text, { writer, runs }));
  if (before === undefined || after === undefined) return [];
  if (before === after) return [];
  const diff = shortDiff(before, after);
  return diff.length > 0 ? diff : ["- (ends with a line break)", "+ (does not)"];
};

const replaySetup = async (
  playback: Playback,
  turn: Extract<Turn, { kind: "message" }>,
  { setup, heard }: Played & { heard: Heard },
): Promise<void> => {
  const { stage, signal } = playback;
  const startedAt = performance.now();
  const text = await runSetup(stage.workspace(), setup, {
    signal,
    checkpoint: () => signal.throwIfAborted(),
  });
  const ms = performance.now() - startedAt;
  const longest = Math.max(
    ms,
    ...[...turn.text.matchAll(/, (\d+\.\d) s: "/g)].map(([, s]) => Number(s) * 1000),
  );
  const recorded = { text: turn.text, at: turn.at, ms: longest };
  const diff = compare(playback, recorded, { now: { text, ms }, writer: "program" });
  if (diff.length > 0)
    heard.drift("setup", "The repository's setup commands come to something else.", { diff });
};
