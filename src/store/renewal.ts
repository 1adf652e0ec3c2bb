import type { Hash } from "../base/ids.ts";

/** A node is renewed so often at most: what every thread refers to would have all of them wait for each other. */
export const RENEWED_EACH_MS = 60_000;

/** How long a transaction that stores nodes may take. */
const LONGEST_WRITE_MS = 60_000;

/** Nodes that were renewed before this time are old enough to be collected (milliseconds since the epoch). */
export const oldBefore = (now: number, graceMs: number): number =>
  now - graceMs - RENEWED_EACH_MS - LONGEST_WRITE_MS;

/** A node's hash inside a longer text, as JavaScript and PostgreSQL read it. */
export const HASH_PATTERN = "[0-9A-HJKMNP-TV-Z]{52}";

const hashes = new RegExp(HASH_PATTERN, "g");

/** The node hashes that a link's value holds. */
export const hashesIn = (value: string): Hash[] => (value.match(hashes) ?? []) as Hash[];
