import { createHash, randomBytes } from "node:crypto";

/** SHA-256 in Crockford Base32, 52 characters: the name of a node. */
export type Hash = string & { readonly __brand: "Hash" };

/** A ULID: 26 characters of Crockford Base32, sortable by creation time. */
export type ThreadId = string & { readonly __brand: "ThreadId" };

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Crockford Base32 without padding, most significant bits first. */
export const crockford = (bytes: Uint8Array): string => {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
};

/** A new thread id (https://github.com/ulid/spec): 48 bits of milliseconds, 80 random bits. */
export const newThreadId = (now: number = Date.now()): ThreadId => threadId(now, randomBytes(10));

/** The thread id of what `key` names and happened at `at` (milliseconds): always the same one. */
export const threadIdFor = (key: string, { at }: { at: number }): ThreadId =>
  threadId(at, createHash("sha256").update(key).digest().subarray(0, 10));

const threadId = (at: number, bytes: Uint8Array): ThreadId => {
  let time = "";
  for (let rest = at, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  return (time + crockford(bytes)) as ThreadId;
};

/** When the thread was made, from its id: milliseconds since the epoch. */
export const threadTime = (id: ThreadId): number =>
  [...id.slice(0, 10)].reduce((time, letter) => time * 32 + ALPHABET.indexOf(letter), 0);

export const isThreadId = (text: string): text is ThreadId => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
export const isHash = (text: string): text is Hash => /^[0-9A-HJKMNP-TV-Z]{52}$/.test(text);

/** How people see a hash: its first 13 characters. */
export const shortHash = (hash: Hash): string => hash.slice(0, 13);

/** What a person typed as a hash or id, in the alphabet's own form (Crockford: i, l → 1 and o → 0). */
export const normalizeId = (text: string): string =>
  text.trim().toUpperCase().replace(/[IL]/g, "1").replace(/O/g, "0");
