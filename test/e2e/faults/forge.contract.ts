import { describe, expect, it } from "vitest";
import { runningBot, SUMS } from "../../rigs/bot.ts";
import { countFaults } from "../../rigs/cluster/count-faults.ts";
import { breakCall, type Call, recordCalls } from "../../rigs/forge-faults/calls.ts";
import {
  endOf,
  ownComments,
  type Place,
  type Story,
  stories,
  until,
} from "../../rigs/forge-faults/stories.ts";
import type { FaultyAnswer } from "../../rigs/github/faults.ts";
import { botComments, botPulls, openIssue, say } from "../../rigs/story.ts";

/** What passes is met twice in one run, at the call and when it is tried again. */
const PASSING: readonly (readonly FaultyAnswer[])[] = [
  [{ status: 500 }, "cut"],
  [{ delayMs: 1_500 }, { status: 429, headers: { "retry-after": "1" } }, "lost"],
];
const LASTING = [401, 403, 404, 409, 422] as const;
const ANSWERS: readonly Pick<Case, "answers" | "isPassing">[] = [
  ...PASSING.map((answers) => ({ answers, isPassing: true })),
  ...LASTING.map((status) => ({ answers: [{ status }], isPassing: false })),
];

/** Every answer at every call takes half an hour: `FORGE_FAULTS=all`. Else every sixth call meets one, in turn. */
const isWhole = process.env.FORGE_FAULTS === "all";
const meets = (call: number, answer: number): boolean =>
  isWhole || (call % 6 === 0 && answer === (call / 6) % ANSWERS.length);

type Case = { story: Story; call: Call; answers: readonly FaultyAnswer[]; isPassing: boolean };

/** Once in a repository where nothing goes wrong: all calls of each story that no other story makes before. */
const recorded = async (forge: "github" | "forgejo"): Promise<Case[]> => {
  const known = new Set<string>();
  const cases: Case[] = [];
  const repositories = stories.map((_, index) => `r${index}/sums`);
  await using bot = await runningBot({ forge, repositories });
  for (const [index, story] of stories.entries()) {
    const place = { forge: bot.forge, repository: repositories[index] ?? "" };
    await story.prepare(place);
    const recording = recordCalls(bot.forge, `r${index}`);
    await story.act(place);
    expect(await until(async () => (await endOf(place, story)) === "done"), story.name).toBe(true);
    for (const call of recording.stop()) {
      const key = isForTokens(call) ? call.shape : `${call.shape} ${call.before}`;
      if (known.has(key) || isOnce(call)) continue;
      known.add(key);
      for (const [at, answer] of ANSWERS.entries())
        if (meets(known.size, at)) cases.push({ story, call, ...answer });
    }
  }
  return cases;
};

/** Of GitHub's tokens there is one for each phase of the work: a call for one stands for those of all. */
const isForTokens = ({ shape }: Call): boolean => /access_tokens|\/installation\/token/.test(shape);

/** What the bot asks about itself, once for all repositories. */
const isOnce = ({ shape }: Call): boolean => / \/users\//.test(shape);

const nameOf = ({ story, call, answers }: Case): string => {
  const said = answers.map((answer) =>
    typeof answer === "string" ? answer : "status" in answer ? answer.status : "slow",
  );
  return `${story.name}: ${call.shape} after ${call.before}: ${said.join(", ")}`;
};

const isIn = (answers: readonly FaultyAnswer[], status: number): boolean =>
  answers.some((answer) => typeof answer === "object" && "status" in answer && answer.status === status);

const AT_ONCE = 12;

const inTurns = async <T>(
  all: readonly T[],
  work: (one: T, index: number) => Promise<void>,
): Promise<void> => {
  const left = [...all.entries()];
  const take = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
};

/** What is wrong at the end, for people; nothing when all is as it has to be. */
const faultsIn = async (place: Place, { story, call, answers, isPassing }: Case): Promise<string[]> => {
  const end = await endOf(place, story);
  const pulls = (await place.forge.pullRequests(place.repository)).filter(
    ({ author }) => author === place.forge.botLogin,
  );
  const issues = await Promise.all([1, ...(pulls.length > 0 ? [2] : [])].map((on) => ownComments(place, on)));
  const comments = issues.flat().map(({ body }) => body);
  const threads = comments.flatMap((body) => /<!-- uwf:thread:\w+ -->/.exec(body)?.[0] ?? []);
  const conversations = pulls.length > 0 ? await place.forge.conversations(place.repository, 2) : [];
  const branches = await place.forge.bare(place.repository).branches();
  const isRefused = call.shape.includes("/permission") && call.before === 0;
  // Reviewers whom the forge does not know to be writers are not listened to, whenever it is asked.
  const isUnheard = call.shape.includes("/permission") && story.on === 2;
  // Whoever is told that a comment is gone leaves it where it is.
  const isSaidToBeGone = call.shape.startsWith("DELETE") && isIn(answers, 404);
  // GitHub's client asks again itself: a new token may not be known everywhere yet.
  const isAskedAgain = place.forge.kind === "github" && isIn(answers, 401);
  return [
    ...(isPassing && end !== "done" ? [`it passed, and the end is ${end}`] : []),
    ...(end === null && story.isAsked && !isUnheard ? ["it has no end"] : []),
    ...(end === "done" && pulls.length !== 1 ? [`done with ${pulls.length} pull requests`] : []),
    ...(pulls.length > 1 ? [`${pulls.length} pull requests`] : []),
    ...(branches.size > 2 ? [`branches ${[...branches.keys()].join(", ")}`] : []),
    ...(new Set(threads).size < threads.length ? ["two live comments of one thread"] : []),
    ...(comments.filter((body) => body.includes("uwf:notice")).length > 1 ? ["two answers"] : []),
    ...(comments.filter((body) => body.includes("uwf:call:")).length >
    (end === "done" && !isSaidToBeGone ? 0 : 1)
      ? ["calls"]
      : []),
    ...(conversations.some((each) => each.comments.length > 2) ? ["two answers in a conversation"] : []),
    ...(!isPassing && isRefused && !isAskedAgain && story.on === 1 && threads.length > 0 && end === "done"
      ? ["work began without a permission"]
      : []),
  ];
};

/** What the program does when the forge answers wrongly, late or not at all. */
export const forgeFaultContract = (forge: "github" | "forgejo"): void => {
  describe(`faults of ${forge}`, () => {
    it("leave one pull request and one comment, and an end that people see", {
      timeout: isWhole ? 3_600_000 : 900_000,
    }, async (context) => {
      const cases = await recorded(forge);
      const repositories = cases.map((_, index) => `o${index}/sums`);
      // One person asks for all of it.
      const perActor = "{ underWay: 1000, startedPerDay: 10000, heardPerHour: 10000 }";
      const config = `limits: { concurrency: 6, perActor: ${perActor} }\n`;
      await using bot = await runningBot({
        forge,
        repositories,
        config,
        ...(isWhole ? {} : { replays: 30 }),
      });
      const wrong: string[] = [];
      let met = 0;
      await inTurns(cases, async (each, index) => {
        const place = { forge: bot.forge, repository: repositories[index] ?? SUMS };
        await each.story.prepare(place);
        const broken = breakCall(bot.forge, `o${index}`, each);
        await each.story.act(place);
        const isOver = async () =>
          (await endOf(place, each.story)) !== null && (await faultsIn(place, each)).length === 0;
        await until(isOver, each.story.isAsked || each.isPassing ? 120_000 : 10_000);
        met += broken();
        // How often a comment is edited is up to time, and whether a check is between its beginning and its end.
        if (broken() === 0 && each.call.before === 0 && !/^PATCH .*check-runs/.test(each.call.shape))
          wrong.push(`${nameOf(each)}: was not met`);
      });
      // What comes late is found here.
      for (const [index, each] of cases.entries()) {
        const place = { forge: bot.forge, repository: repositories[index] ?? SUMS };
        wrong.push(...(await faultsIn(place, each)).map((what) => `${nameOf(each)}: ${what}`));
      }
      countFaults(context, `answers of ${forge}`, met);
      expect(wrong).toEqual([]);
    });

    it("at what the bot asks about itself are waited out, or said", { timeout: 240_000 }, async (context) => {
      for (const answer of [{ status: 500 }, "cut", { status: 401 }, { status: 403 }] as const) {
        await using bot = await runningBot({ forge });
        const path =
          forge === "github" ? /^\/(?:app|users\/[^/]+|app\/installations\/\d+\/access_tokens)$/ : /\/user$/;
        const isPassing = answer === "cut" || answer.status === 500;
        // After more than one that lasts, nothing can be said either.
        const times = isPassing ? 3 : 1;
        bot.forge.fault({ path, answer, times, when: bot.forge.isBots });
        const issue = await openIssue(bot);
        await say(bot, issue, "/solve");
        const first = async () => (await botComments(bot, issue))[0] ?? "";
        await expect
          .poll(first, { timeout: 60_000, interval: 200, message: JSON.stringify(answer) })
          .toMatch(isPassing ? /\*\*Done\b/ : /\*\*(?:Done|Failed)\b|To `mona`/);
        countFaults(context, `answers of ${forge}`, times);
        expect((await botPulls(bot)).length).toBeLessThanOrEqual(1);
      }
    });
  });
};
