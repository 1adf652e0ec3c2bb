import { expect, type TestContext } from "vitest";
import { subjectOf } from "../../../src/forge/keys.ts";
import type { ThreadRecord } from "../../../src/store/store.ts";
import { countAttempts } from "../count-attempts.ts";
import type { RigRequest } from "../github/http.ts";
import { flood, type Hook } from "./webhooks.ts";
import { type FloodWorld, QUIET } from "./world.ts";

export const WAIT = { timeout: 100_000, interval: 100 };

/** Longer than the pace of a live comment. */
const SILENCE_MS = 4_500;

/** Requests that write or change a comment, and those that ask what a person may do. */
export const CALLS = {
  writes: /^(POST|PATCH) \S*(\/issues\/\d+\/comments|\/issues\/comments\/\d+)$/,
  permission: /\/permission$/,
};

export const matching = (calls: readonly RigRequest[], pattern: RegExp): RigRequest[] =>
  calls.filter(({ method, path }) => pattern.test(`${method} ${path}`));

/** What a test does and sees again and again in a world of floods. */
export type FloodStory = {
  open(repository: string, title: string): Promise<number>;
  /** The bot's comments there. */
  said(repository: string, issue: number): Promise<string[]>;
  threadsOn(repository: string, issue: number): Promise<ThreadRecord[]>;
  /** Cancels what waits there. */
  cancel(repository: string, issue: number): Promise<void>;
  /** When all that came has been looked at. */
  handled(): Promise<void>;
  /** When no thread is at work or waits for a place, and the bot has said all: live comments come a little later. */
  written(): Promise<void>;
  /** Sends them, waits until they were looked at, and answers what the bot has asked of the forge meanwhile. */
  calledFor(context: TestContext, hooks: readonly Hook[]): Promise<readonly RigRequest[]>;
};

const subjectIn = (repository: string, issue: number): string =>
  subjectOf({ forge: "github", repository, installationId: repository === QUIET ? 7002 : 7001 }, issue);

export const floodStory = (world: FloodWorld): FloodStory => {
  const { forge, store, calls } = world;
  const threadsOn = (repository: string, issue: number) =>
    store.threads({ subject: subjectIn(repository, issue), limit: 1_000 });
  const handled = () =>
    expect
      .poll(async () => (await store.counts()).pendingDeliveries, { ...WAIT, message: "deliveries" })
      .toBe(0);
  return {
    threadsOn,
    handled,
    open: async (repository, title) =>
      (await forge.openIssue(repository, { title, body: "It subtracts.", author: "mona" })).number,
    said: async (repository, issue) =>
      (await forge.comments(repository, issue))
        .filter(({ author }) => author === forge.botLogin)
        .map(({ body }) => body),
    cancel: async (repository, issue) => {
      for (const { id } of await threadsOn(repository, issue))
        await store.advance(id, { status: "queued" }, { status: "cancelled" });
    },
    written: async () => {
      let before = calls.length;
      let since = Date.now();
      const looked = async () => {
        if (calls.length !== before) {
          before = calls.length;
          since = Date.now();
        }
        const { running, queued } = (await store.counts()).threads;
        const unreported = (await store.unreported(10)).map(({ id }) => id);
        return { running, queued, unreported, silent: Date.now() - since >= SILENCE_MS };
      };
      await expect.poll(looked, WAIT).toEqual({ running: 0, queued: 0, unreported: [], silent: true });
    },
    calledFor: async (context, hooks) => {
      const before = calls.length;
      countAttempts(context, "deliveries of floods", hooks.length);
      expect(await flood(world, hooks)).toEqual({ 202: hooks.length });
      await handled();
      return calls.slice(before);
    },
  };
};
