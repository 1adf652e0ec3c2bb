import { clockOf } from "./clock.ts";
import { LONGEST_ESCAPE } from "./escapes.ts";
import { type Found, formIndex, SHORTEST_FORM } from "./form-index.ts";
import { formsOf } from "./secret-forms.ts";
import { textLayers } from "./text-layers.ts";

/** Replaces secrets in a text that a person, a log or a model may see. */
export type Redact = (text: string) => string;

/** What nobody may see, as it becomes known. */
export type Secrets = {
  /** `expiresAt`: when it opens nothing any more (milliseconds since the epoch). */
  add(secret: string, options?: { expiresAt?: number }): void;
  redact: Redact;
  /** How many characters at the end of the text may be the beginning of a secret. */
  heldBack(text: string): number;
};

const MASK = "[redacted]";

/** A character's escape that the text's end may have cut. */
const UNFINISHED = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?|[0-3][0-7]?)?|&#?[0-9a-z]{0,7})$/i;

/** Expired ones are looked for until so many have come together: to forget is to build the index anew. */
const MOST_EXPIRED = 64;

/** Masks every form of `formsOf` of every secret. By exact value: tokens have no pattern that lasts. */
export const redactor = (secrets: readonly (string | null | undefined)[]): Redact =>
  secretKeeper(secrets).redact;

/**
 * Knows the secrets of a process: a text is masked by what is known when it is given. Shorter values than six characters are none:
 * they would blank out innocent text.
 */
export const secretKeeper = (
  known: readonly (string | null | undefined)[],
  { now }: { now?: () => number } = {},
): Secrets => {
  const clock = clockOf(now);
  /** By the reading that nobody sets: on a clock set ahead, tokens open as much as before. */
  const expiries = new Map<string, number>();
  let index = formIndex();
  const keep = (secret: string): void => {
    for (const form of formsOf(secret)) index.add(form);
  };
  const forgetExpired = (): void => {
    const expired = [...expiries].filter(([, endsAt]) => endsAt <= clock.elapsed());
    if (expired.length < MOST_EXPIRED) return;
    for (const [secret] of expired) expiries.delete(secret);
    index = formIndex();
    for (const secret of expiries.keys()) keep(secret);
  };
  const add: Secrets["add"] = (secret, { expiresAt = Number.POSITIVE_INFINITY } = {}) => {
    if (secret.length < SHORTEST_FORM) return;
    const before = expiries.get(secret);
    const endsAt = clock.elapsed() + expiresAt - clock.now();
    expiries.set(secret, Math.max(endsAt, before ?? endsAt));
    if (before !== undefined) return;
    keep(secret);
    forgetExpired();
  };
  for (const secret of known) if (secret) add(secret);
  const redact: Redact = (text) => {
    if (expiries.size === 0) return text;
    return masked(text, textLayers(text).flatMap(index.find));
  };
  const heldBack = (text: string): number => {
    if (expiries.size === 0) return 0;
    const open = UNFINISHED.exec(text.slice(-LONGEST_ESCAPE))?.[0].length ?? 0;
    const end = text.slice(-index.longest());
    const layers = textLayers(end.slice(0, end.length - open));
    const begun = Math.max(0, ...layers.map((layer) => index.begun(layer, end.length - open)));
    const cut = end.length - open - begun;
    // What ends a secret may begin another: the whole of it waits.
    const across = layers.flatMap(index.find).filter(({ to }) => to > cut);
    return end.length - Math.min(cut, ...across.map(({ from }) => from));
  };
  return { add, redact, heldBack };
};

/** The user and password as HTTP's Basic scheme sends them. */
export const basicCredentials = (token: string): string =>
  Buffer.from(`x-access-token:${token}`).toString("base64");

/** One mask for places that overlap. What stands around a secret in the same base64 goes with it. */
const masked = (text: string, found: readonly Found[]): string => {
  const masks: { from: number; to: number }[] = [];
  for (const place of found.toSorted((a, b) => a.from - b.from)) {
    const last = masks.at(-1);
    if (last !== undefined && place.to <= last.to) continue;
    const whole = widened(text, place);
    if (last !== undefined && place.from < last.to) last.to = whole.to;
    else masks.push(whole);
  }
  let shown = "";
  let end = 0;
  for (const mask of masks) {
    shown += text.slice(end, mask.from) + MASK;
    end = mask.to;
  }
  return shown + text.slice(end);
};

/** Of both alphabets. */
const BASE64 = /[A-Za-z0-9+/_-]/;
const PADDING = /^={1,2}/;

const widened = (text: string, { from, to, isBase64 }: Found): { from: number; to: number } => {
  if (!isBase64) return { from, to };
  let [begin, end] = [from, to];
  while (BASE64.test(text.charAt(begin - 1))) begin--;
  while (BASE64.test(text.charAt(end))) end++;
  return { from: begin, to: end + (PADDING.exec(text.slice(end, end + 2))?.[0].length ?? 0) };
};
