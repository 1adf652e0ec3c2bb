import { afterAll, beforeAll, expect, it } from "vitest";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { CALLS, type FloodStory, floodStory, matching, WAIT } from "../../rigs/floods/story.ts";
import { type Forger, flood, forger, type Hook } from "../../rigs/floods/webhooks.ts";
import { FLOODING, type FloodWorld, floodWorld, LIMITS, PLACES, QUIET } from "../../rigs/floods/world.ts";

const [SUMS, TWO, THREE] = FLOODING;
const MANY = 100;
/** Deliveries of one installation that may be handled at once, and so may not know yet what the others lead to. */
const AT_ONCE = 8;

const times = (make: (at: number) => Hook, count = MANY): Hook[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** What the program does when it is flooded, however many processes it is. */
export const floodContract = (kind: "embedded" | "servers"): void => {
  let world: FloodWorld;
  let story: FloodStory;
  let acme: Forger;
  let beta: Forger;
  /** The issue that was solved, and its pull request. */
  let solved: number;
  let pull: number;
  let atStart: number;

  beforeAll(async () => {
    world = await floodWorld(kind);
    story = floodStory(world);
    acme = await forger(world.forge, { repository: SUMS, person: "mona" });
    beta = await forger(world.forge, { repository: QUIET, person: "mona" });
  }, 120_000);
  afterAll(() => world?.close(), 60_000);

  it("comes when there is a pull request of the bot's", { timeout: 120_000 }, async () => {
    solved = await story.open(SUMS, "A sum");
    await world.forge.label(SUMS, solved, "uwf", "mona");
    await expect.poll(() => story.said(SUMS, solved), WAIT).toEqual([expect.stringContaining("**Done.**")]);
    const pulls = await world.forge.pullRequests(SUMS);
    pull = pulls.find(({ author }) => author === world.forge.botLogin)?.number ?? 0;
    await world.forge.review(SUMS, pull, { author: "writer-11", verdict: "APPROVE" });
    await story.handled();
    atStart = world.memory();
  });

  it("of a stranger's commands and labels takes a few calls", { timeout: 120_000 }, async (context) => {
    const by = { login: "stranger" };
    const models = world.model.requests.length;

    const calls = await story.calledFor(context, [
      ...times(() => acme.comment({ issue: 1, body: "/solve", by })),
      ...times(() => acme.label({ issue: 1, title: "A pattern", by })),
    ]);

    expect(calls.length).toBeLessThanOrEqual(10 * AT_ONCE);
    expect(matching(calls, CALLS.writes).length).toBe(0);
    expect(world.model.requests.length).toBe(models);
  });

  it("of strangers with a name each is answered by no comment", { timeout: 120_000 }, async (context) => {
    const calls = await story.calledFor(
      context,
      times((at) => acme.comment({ issue: 1, body: "@uwf solve", by: { login: `stranger-${at}` } }), 100),
    );

    expect(matching(calls, CALLS.writes).length).toBe(0);
    expect(calls.length).toBeLessThanOrEqual(3 * 100);
  });

  it("of a writer's commands in one issue is answered in one comment", {
    timeout: 120_000,
  }, async (context) => {
    const issue = await story.open(SUMS, "Much is said");
    const words = ["/help", "/status", "/slove", "/retry", "/fork 1", "/approve", "/solve --model x"];

    const calls = await story.calledFor(
      context,
      times((at) => acme.comment({ issue, body: words[at % words.length] ?? "", by: { login: "writer-0" } })),
    );

    expect(await story.said(SUMS, issue)).toHaveLength(1);
    expect(matching(calls, CALLS.writes).length).toBeLessThanOrEqual(LIMITS.heardPerHour + world.processes);
    expect(matching(calls, CALLS.permission).length).toBeLessThanOrEqual(LIMITS.heardPerHour * AT_ONCE);
  });

  it("of one writer's labels begins what one may have under way, and is stopped by `/stop`", {
    timeout: 120_000,
  }, async (context) => {
    const letGo = world.hold();
    const by = { login: "writer-1" };
    const issues = await Promise.all(
      Array.from({ length: 30 }, (_, at) => story.open(SUMS, `Labelled ${at}`)),
    );
    const labels = issues.flatMap((issue) =>
      times((at) => acme.label({ issue, title: `Labelled ${at}`, by }), MANY / issues.length),
    );
    const models = world.model.requests.length;

    await story.calledFor(context, labels);

    const threads = async () =>
      (await Promise.all(issues.map((issue) => story.threadsOn(SUMS, issue)))).flat();
    const begun = (await threads()).length;
    // Those that are looked at in the same moment do not know of each other.
    expect(begun).toBeGreaterThanOrEqual(LIMITS.underWay);
    expect(begun).toBeLessThan(LIMITS.underWay + AT_ONCE);
    const comments = (await Promise.all(issues.map((issue) => story.said(SUMS, issue)))).flat();
    expect(comments.length).toBeLessThanOrEqual(LIMITS.heardPerHour + world.processes);
    await story.calledFor(
      context,
      issues.map((issue) => acme.comment({ issue, body: "/stop", by })),
    );
    expect((await threads()).map(({ status }) => status)).toEqual(Array(begun).fill("cancelled"));
    expect(world.model.requests.length - models).toBeLessThanOrEqual(PLACES);
    letGo();
  });

  it("of `/stop` and `/retry`, `/fork` and `/ci` begins no more than one may begin in a day", {
    timeout: 120_000,
  }, async (context) => {
    const letGo = world.hold();
    const issue = await story.open(SUMS, "Again and again");
    const say = (body: string, at: number) => acme.comment({ issue: at, body, by: { login: "writer-2" } });
    await story.calledFor(context, [say("/solve", issue)]);

    for (let round = 0; round < 6; round++)
      await story.calledFor(context, [say("/stop", issue), say("/retry", issue), say("/solve", issue)]);
    await story.calledFor(context, [say("/stop", issue)]);
    const forks = times(
      (at) => acme.comment({ issue: pull, body: "/fork 1", by: { login: `writer-${3 + (at % 2)}` } }),
      20,
    );
    await story.calledFor(context, forks);

    expect((await story.threadsOn(SUMS, issue)).length).toBeLessThan(LIMITS.startedPerDay + AT_ONCE);
    const forked = (await story.threadsOn(SUMS, solved)).length - 1;
    expect(forked).toBeLessThan(LIMITS.underWay + AT_ONCE);
    await story.cancel(SUMS, solved);
    await story.calledFor(
      context,
      times(() => say("/ci", pull), 20),
    );
    letGo();
  });

  it("of deliveries that come again, and of edits, does what one does", {
    timeout: 120_000,
  }, async (context) => {
    const issue = await story.open(SUMS, "Edited");
    await story.written();
    const by = { login: "writer-5" };
    const one = { ...acme.comment({ issue, body: "/help", by }), id: "the-same-delivery" };

    const calls = await story.calledFor(context, [
      ...times(() => one),
      ...times(() => acme.comment({ issue, body: "/solve", by, action: "edited" })),
    ]);

    expect(matching(calls, CALLS.writes).length).toBe(1);
    expect(calls.length).toBeLessThanOrEqual(20);
    expect(await story.threadsOn(SUMS, issue)).toEqual([]);
  });

  it("of checks, installations and unknown events asks the forge nothing", {
    timeout: 120_000,
  }, async (context) => {
    await story.written();
    const commit = (at: number) => at.toString(16).padStart(40, "0");
    const suite = (at: number) => ({ head_sha: commit(at), head_branch: "main", conclusion: "failure" });

    const calls = await story.calledFor(context, [
      ...times((at) => acme.any("check_suite", { action: "completed", check_suite: suite(at) })),
      ...times((at) => acme.any("status", { sha: commit(at), state: "failure", branches: [] })),
      ...times(() => acme.any("installation", { action: "created", repositories: [] })),
      ...times(() => acme.any("installation", { action: "new_permissions_accepted" })),
      ...times((at) => acme.any(`unknown_${"abcdef"[at % 6]}`, { action: "created" })),
    ]);

    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("of bots that answer the bot leads to nothing, and of a person's program to one comment", {
    timeout: 120_000,
  }, async (context) => {
    const issue = await story.open(SUMS, "Two bots");
    await story.written();
    const other = { login: "helper[bot]", type: "Bot" } as const;
    const robots = await story.calledFor(context, [
      ...times(() => acme.comment({ issue, body: "@uwf solve\n/solve", by: other })),
      ...times(() => acme.comment({ issue, body: "/solve", by: { ...other, login: world.forge.botLogin } })),
    ]);
    expect(robots).toEqual([]);

    await story.calledFor(
      context,
      times(() => acme.comment({ issue, body: "@uwf what do you mean?", by: { login: "writer-6" } })),
    );

    expect((await story.said(SUMS, issue)).length).toBeLessThanOrEqual(1);
  });

  it("of a stranger's reviews takes a few calls", { timeout: 120_000 }, async (context) => {
    const review = () => acme.review({ number: pull, body: "Do it again.", by: { login: "stranger" } });

    const calls = await story.calledFor(context, times(review));

    expect(calls.length).toBeLessThanOrEqual(10 * AT_ONCE);
    expect(await story.threadsOn(SUMS, pull)).toEqual([]);
  });

  it("of a writer's comments on lines is one follow-up", { timeout: 120_000 }, async (context) => {
    const comments = Array.from({ length: 30 }, (_, at) => ({
      path: "sum.mjs",
      line: 1,
      body: `Note ${at}`,
    }));
    await world.forge.review(SUMS, pull, { author: "lena", verdict: "COMMENT", comments });
    const followUps = async () => (await story.threadsOn(SUMS, pull)).map(({ status }) => status);
    // Those that come while it is at work come again, half a minute later each time.
    await expect.poll(followUps, WAIT).toEqual(["completed"]);

    const calls = await story.calledFor(
      context,
      times(() => acme.review({ number: pull, body: "", by: { login: "lena" } })),
    );

    expect(await followUps()).toEqual(["completed"]);
    expect(matching(calls, CALLS.permission).length).toBeLessThanOrEqual(LIMITS.heardPerHour * AT_ONCE);
  });

  it("of wrong signatures and of bodies that are too large keeps nothing", {
    timeout: 120_000,
  }, async (context) => {
    await story.written();
    const hooks = times(() => acme.comment({ issue: 1, body: "/solve", by: { login: "mona" } }));
    const large = times((at) => acme.any("issues", { action: "labeled", text: "x".repeat(27e6 + at) }), 4);
    countAttempts(context, "deliveries of floods", hooks.length + large.length);
    const before = world.calls.length;

    expect(await flood(world, hooks, { signature: `sha256=${"0".repeat(64)}` })).toEqual({
      401: hooks.length,
    });
    expect(await flood(world, large).catch(() => "cut off")).toSatisfy(
      (answer) => answer === "cut off" || JSON.stringify(answer) === '{"413":4}',
    );

    expect(world.calls.slice(before)).toEqual([]);
    expect((await world.store.counts()).pendingDeliveries).toBe(0);
  });

  it("of large bodies is read in bounded memory", { timeout: 120_000 }, async (context) => {
    const by = { login: "stranger" };
    const body = "x".repeat(10e6);

    await story.calledFor(
      context,
      times(() => acme.label({ issue: 1, title: "Large", by, body }), 6),
    );

    expect(world.memory()).toBeLessThan(2 * atStart + world.processes * 300e6);
  });

  it("of one organisation's commands to a forge that does not answer delays no other's", {
    timeout: 120_000,
  }, async (context) => {
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    world.forge.fault({ path: /^\/repos\/acme\/two\/.*\/permission$/, answer: { until }, times: 40 });
    const two = await forger(world.forge, { repository: TWO, person: "mona" });
    const issue = await story.open(QUIET, "In the middle");
    const help = (at: number) => two.comment({ issue: 1, body: "/help", by: { login: `writer-${at % 12}` } });
    const words = times(help, 40);
    countAttempts(context, "deliveries of floods", words.length);
    const before = world.calls.length;
    const waiting = () =>
      matching(world.calls.slice(before), CALLS.permission).filter(({ path }) => path.includes(TWO)).length;
    expect(await flood(world, words)).toEqual({ 202: words.length });
    await expect.poll(waiting, WAIT).toBeGreaterThan(0);

    await flood(world, [beta.comment({ issue, body: "/help", by: { login: "lena" } })]);
    await expect.poll(() => story.said(QUIET, issue), WAIT).toHaveLength(1);

    expect(waiting()).toBeLessThanOrEqual(AT_ONCE);
    answer();
    await story.handled();
  });

  it("of one organisation's work lets another's first issue begin when the next place is free", {
    timeout: 120_000,
  }, async (context) => {
    const letGo = world.hold();
    const labelled = [];
    for (const [at, repository] of [SUMS, TWO, THREE, SUMS, TWO, THREE, SUMS, TWO, THREE].entries()) {
      const number = await story.open(repository, `Flooding ${at}`);
      await world.forge.label(repository, number, "uwf", `writer-${7 + (at % 3)}`);
      labelled.push({ repository, number });
    }
    countAttempts(context, "deliveries of floods", labelled.length);
    const running = async () => (await world.store.counts()).threads.running;
    await expect.poll(running, WAIT).toBe(PLACES);

    const number = await story.open(QUIET, "The quiet one");
    await world.forge.label(QUIET, number, "uwf", "lena");
    await story.handled();
    letGo();

    const begun = (title: string) =>
      new Set(
        world.model.requests.flatMap(({ messages }) =>
          messages.flatMap(({ content }) => content.match(new RegExp(`${title}( \\d)?`))?.[0] ?? []),
        ),
      );
    await expect.poll(() => begun("The quiet one").size, WAIT).toBe(1);
    expect(begun("Flooding").size).toBeLessThanOrEqual(2 * PLACES);
    for (const { repository, number: issue } of labelled) await story.cancel(repository, issue);
    await expect.poll(() => story.said(QUIET, number), WAIT).toEqual([expect.stringContaining("**Done.**")]);
    await expect.poll(running, WAIT).toBe(0);
  });

  it("leaves who keeps to the limits heard, and the process as it was", { timeout: 60_000 }, async () => {
    const issue = await story.open(SUMS, "After all that");
    await flood(world, [acme.comment({ issue, body: "/help", by: { login: "writer-10" } })]);

    await expect.poll(() => story.said(SUMS, issue), WAIT).toHaveLength(1);
    expect(world.memory()).toBeLessThan(2 * atStart + world.processes * 300e6);
    const month = new Date().toISOString().slice(0, 7);
    for (const login of ["mona", "writer-7"])
      expect(await world.store.reserved(`actor/github/${login}`, month)).toBeLessThanOrEqual(LIMITS.monthUsd);
  });
};
