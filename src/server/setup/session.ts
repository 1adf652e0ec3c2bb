import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** GitHub keeps what a person has registered for as long. */
const VALID_MS = 60 * 60_000;

export type SetupSession = {
  /** Trades the token of the terminal for a cookie's value, once; null when it is not the one, or spent. */
  begin(token: string): string | null;
  /** Whether a cookie's value is the one that was given. */
  has(cookie: string): boolean;
  /** What only a page that this server has given to that browser knows: another site's form cannot send it. */
  readonly formKey: string;
  isFormKey(value: string): boolean;
  /** A new state for one way to GitHub and back. */
  newState(): string;
  /** Whether a state was given out within the hour and is not spent. */
  knows(state: string): boolean;
  spend(state: string): void;
};

/** One browser sets the server up: the one that was opened with the link of the terminal. */
export const setupSession = (token: string, { now }: { now: () => number }): SetupSession => {
  let left: string | null = token;
  let cookie: string | null = null;
  const states = new Map<string, number>();
  const formKey = secret();
  return {
    formKey,
    isFormKey: (value) => isSame(value, formKey),
    begin: (given) => {
      if (left === null || !isSame(given, left)) return null;
      left = null;
      cookie = secret();
      return cookie;
    },
    has: (given) => cookie !== null && isSame(given, cookie),
    newState: () => {
      const state = secret();
      states.set(state, now());
      return state;
    },
    knows: (state) => {
      const since = states.get(state);
      return since !== undefined && now() - since < VALID_MS;
    },
    spend: (state) => void states.delete(state),
  };
};

export const secret = (): string => randomBytes(32).toString("base64url");

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
