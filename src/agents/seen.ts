import type { NewTurn } from "./adapter.ts";

/**
 * The file contents that the model still has before its eyes, path → SHA-256 (hex): what the tools of a step
 * that goes on must know. A compaction may have removed any of them, so it forgets them all.
 */
export const seenFrom = (turns: readonly NewTurn[]): Map<string, string> => {
  const seen = new Map<string, string>();
  for (const turn of turns) {
    if (turn.kind === "compaction") seen.clear();
    if (turn.kind !== "tool") continue;
    for (const [path, hash] of Object.entries(turn.seen)) seen.set(path, hash);
  }
  return seen;
};
