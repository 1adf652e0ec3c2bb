import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Bot } from "./bot.ts";
import { SUMS } from "./bot.ts";
import type { SeenComment, SeenPullRequest } from "./forge-rig.ts";

/** What a test does and sees again and again, told in its words. All of it is in the repository of sums. */

const WAIT = { timeout: 45_000, interval: 100 };

export const openIssue = async ({ forge }: Bot, body = "It subtracts."): Promise<number> =>
  (await forge.openIssue(SUMS, { title: "The sum is wrong", body, author: "mona" })).number;

export const say = ({ forge }: Bot, issue: number, body: string, author = "mona"): Promise<SeenComment> =>
  forge.comment(SUMS, issue, { body, author });

/** The bot's comments there. */
export const botComments = async ({ forge }: Bot, issue: number): Promise<string[]> =>
  (await forge.comments(SUMS, issue))
    .filter(({ author }) => author === forge.botLogin)
    .map(({ body }) => body);

/** When the bot has one comment there, which says how the work stands: `Done`, `Paused`; answers it. */
export const shown = async (bot: Bot, issue: number, state: string): Promise<string> => {
  await expect
    .poll(() => botComments(bot, issue), { ...WAIT, message: `comments of #${issue}` })
    .toEqual([expect.stringMatching(new RegExp(`\\*\\*${state}\\b`))]);
  return (await botComments(bot, issue))[0] ?? "";
};

/** When the bot's live comment, the first one there, says so; whatever else it has said. */
export const shownFirst = async (bot: Bot, issue: number, text: string): Promise<string> => {
  const first = async () => (await botComments(bot, issue))[0] ?? "";
  await expect.poll(first, { ...WAIT, message: `comment of #${issue}` }).toContain(text);
  return first();
};

/** Times on forges have whole seconds, and nobody reads anything in less. */
export const read = (): Promise<void> => sleep(1_000);

/** The pull requests that the bot has opened, oldest first. */
export const botPulls = async ({ forge }: Bot): Promise<SeenPullRequest[]> =>
  (await forge.pullRequests(SUMS))
    .filter(({ author }) => author === forge.botLogin)
    .toSorted((a, b) => a.number - b.number);

export const botPull = async (bot: Bot): Promise<SeenPullRequest> => {
  const [pull, ...others] = await botPulls(bot);
  if (pull === undefined || others.length > 0)
    throw new Error(`the bot has opened ${others.length === 0 ? "no pull request" : "several"}`);
  return pull;
};

/** An issue, solved, and its pull request. */
export const solved = async (bot: Bot): Promise<{ issue: number; pull: SeenPullRequest }> => {
  const issue = await openIssue(bot);
  await say(bot, issue, "/solve");
  await shown(bot, issue, "Done");
  return { issue, pull: await botPull(bot) };
};

/** When what was sent before has been handled: a question that is asked after it has its answer. */
export const quiet = async (bot: Bot): Promise<void> => {
  await bot.forge.idle();
  const issue = await openIssue(bot, "Is all well?");
  await say(bot, issue, "/help");
  await expect
    .poll(() => botComments(bot, issue), WAIT)
    .toEqual([expect.stringContaining("`/solve [note]`")]);
};

export const threadsOf = ({ events }: Bot): number =>
  new Set(events.map(({ thread, within }) => within?.thread ?? thread)).size;

/** Subjects of the commits of a branch, newest first. */
export const commitsOn = async ({ forge }: Bot, branch: string): Promise<string[]> =>
  (await forge.bare(SUMS).git("log", "--format=%s", `refs/heads/${branch}`)).trim().split("\n");

/** A file as a branch has it. */
export const fileOn = async ({ forge }: Bot, branch: string, path: string): Promise<string> =>
  forge.bare(SUMS).git("show", `refs/heads/${branch}:${path}`);

/** Something that a test lets happen when it is time. */
export const door = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return {
    open: resolve,
    /** When somebody stands before it. */
    reached: reached.promise,
    wait: () => {
      reached.resolve();
      return promise;
    },
  };
};
