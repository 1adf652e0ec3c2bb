import { type AppError, inputError } from "../base/errors.ts";
import type { Hash, ThreadId } from "../base/ids.ts";
import type { Store } from "./store.ts";

const shown = 5;

/**
 * The hash that a person means: whole, or any prefix of 8 or more characters that only one node has.
 * Throws `prefix-too-short`, `hash-unknown` or `hash-ambiguous` (with the candidates).
 */
export const resolveHash = async (store: Pick<Store, "findHashes">, text: string): Promise<Hash> => {
  const [found, ...others] = await store.findHashes(text, shown + 1);
  if (found === undefined)
    throw inputError(
      "hash-unknown",
      `no node begins with "${text}"`,
      "`uwf thread steps` shows a thread's hashes.",
    );
  if (others.length > 0) throw ambiguous("hash-ambiguous", text, "nodes", [found, ...others]);
  return found;
};

/** The same for a thread's id; throws `prefix-too-short`, `thread-unknown` or `thread-ambiguous`. */
export const resolveThread = async (store: Pick<Store, "findThreads">, text: string): Promise<ThreadId> => {
  const [found, ...others] = await store.findThreads(text, shown + 1);
  if (found === undefined)
    throw inputError("thread-unknown", `no thread begins with "${text}"`, "`uwf thread list` shows them.");
  if (others.length > 0) throw ambiguous("thread-ambiguous", text, "threads", [found, ...others]);
  return found;
};

const ambiguous = (code: string, text: string, what: string, candidates: readonly string[]): AppError => {
  const more = candidates.length > shown ? ", …" : "";
  const list = candidates.slice(0, shown).join(", ") + more;
  return inputError(code, `several ${what} begin with "${text}": ${list}`, "Give more characters.");
};
