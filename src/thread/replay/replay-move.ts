import { CUT_OFF, NOT_RUN } from "../../agents/loop-texts.ts";
import type { Hash } from "../../base/ids.ts";
import type { Payload } from "../../store/payload.ts";
import type { Toolbox } from "../../tools/toolbox.ts";
import type { Playback } from "./playback.ts";

type Turn = Payload<"turn">;
type Moving = {
  /** Of the step, before it moved. */
  turns: readonly Turn[];
  /** The files before the step. */
  files: Hash | null;
  box: Pick<Toolbox, "effect">;
  heard: { remark(what: string): void };
};

/**
 * Makes the workspace anew, as it was made on the machine to which the thread moved: with the files as they are, or, where those of
 * the calls before could not be kept, with those that were kept last.
 */
export const replayMove = async (
  playback: Pick<Playback, "renew">,
  { turns, files, box, heard }: Moving,
): Promise<void> => {
  const last = turns.findLastIndex((turn) => keptWith(turn) !== null);
  const isLost = turns.slice(last + 1).some((turn) => mayHaveWritten(turn, box));
  if (!isLost) return playback.renew();
  heard.remark("the files of calls before could not be kept: another machine went on without them");
  const at = turns[last];
  await playback.renew(at === undefined ? files : keptWith(at));
};

const keptWith = (turn: Turn): Hash | null => ("workspace" in turn ? (turn.workspace ?? null) : null);

const mayHaveWritten = (turn: Turn, { effect }: Pick<Toolbox, "effect">): boolean =>
  turn.kind === "tool" && turn.text !== NOT_RUN && turn.text !== CUT_OFF && effect(turn.name) === "write";
