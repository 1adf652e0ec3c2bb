import type { Json } from "../../base/json.ts";

/** Where compatible servers put what a reasoning model thinks. */
export type ReasoningPiece = {
  reasoning_content?: string | null | undefined;
  reasoning?: string | null | undefined;
  reasoning_details?: readonly Record<string, Json>[] | null | undefined;
};

const TEXTS = ["reasoning_content", "reasoning"] as const;
const GROWING = new Set(["text", "summary", "data"]);

/** Puts the pieces of a streamed reply's reasoning together under their own names, to be sent back as they came. */
export const reasoningCollector = () => {
  const texts: { [name in (typeof TEXTS)[number]]?: string } = {};
  const details: Record<string, Json>[] = [];
  return {
    add: (piece: ReasoningPiece): void => {
      for (const name of TEXTS) {
        const text = piece[name];
        if (text) texts[name] = (texts[name] ?? "") + text;
      }
      for (const detail of piece.reasoning_details ?? []) {
        const last = details.at(-1);
        if (last !== undefined && continues(detail, last)) extend(last, detail);
        else details.push({ ...detail });
      }
    },
    /** The fields to put on the message that goes back; null when there was no reasoning. */
    done: (): Json | null => {
      const fields = { ...texts, ...(details.length > 0 ? { reasoning_details: details } : {}) };
      return Object.keys(fields).length > 0 ? fields : null;
    },
  };
};

const continues = (detail: Record<string, Json>, last: Record<string, Json>): boolean =>
  detail.type === last.type &&
  detail.index === last.index &&
  (!detail.id || !last.id || detail.id === last.id);

const extend = (last: Record<string, Json>, detail: Record<string, Json>): void => {
  for (const [key, value] of Object.entries(detail)) {
    const before = last[key];
    if (GROWING.has(key) && typeof before === "string" && typeof value === "string")
      last[key] = before + value;
    else if (value !== null) last[key] = value;
  }
};
