import { setTimeout as sleep } from "node:timers/promises";
import type { ForgeRig, SeenComment } from "../forge-rig.ts";

/** Where a story happens: a repository of its own, whose first issue and pull request it is about. */
export type Place = { forge: ForgeRig; repository: string };

export type Story = {
  name: string;
  /** What comes before, when nothing goes wrong. */
  prepare(place: Place): Promise<void>;
  act(place: Place): Promise<void>;
  /** The issue or pull request that shows how it stands. */
  on: 1 | 2;
  /** False where people who have asked for nothing need not be told why nothing came of it. */
  isAsked: boolean;
};

export const ownComments = async ({ forge, repository }: Place, issue: number): Promise<SeenComment[]> =>
  (await forge.comments(repository, issue)).filter(({ author }) => author === forge.botLogin);

/** `done`; `told`: people see that nothing will come of it; null: neither. */
export const endOf = async (place: Place, { on }: Pick<Story, "on">): Promise<"done" | "told" | null> => {
  const bodies = (await ownComments(place, on)).map(({ body }) => body);
  if (bodies.some((body) => /^\*\*Done\b/m.test(body))) return "done";
  if (bodies.some((body) => /^\*\*Failed\b|^To `|^> To `/m.test(body))) return "told";
  const { forge, repository } = place;
  const issue = await forge.comments(repository, on);
  const subjects = [`issues/${on}`, ...issue.map(({ id }) => `issues/comments/${id}`)];
  return subjects.some((subject) => forge.reactions(repository, subject).includes("confused"))
    ? "told"
    : null;
};

export const until = async (isTrue: () => Promise<boolean>, timeoutMs = 150_000): Promise<boolean> => {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (await isTrue()) return true;
    await sleep(500);
  }
  return false;
};

const open = async ({ forge, repository }: Place): Promise<void> => {
  await forge.openIssue(repository, { title: "The sum is wrong", body: "It subtracts.", author: "mona" });
};

const say = async ({ forge, repository }: Place, body: string): Promise<void> => {
  await forge.comment(repository, 1, { body, author: "mona" });
};

const solved = async (place: Place): Promise<void> => {
  await open(place);
  await say(place, "/solve");
  if (!(await until(async () => (await endOf(place, { on: 1 })) === "done")))
    throw new Error(`${place.repository} could not be prepared`);
};

const isWaiting = async (place: Place): Promise<boolean> =>
  (await ownComments(place, 1)).some(({ body }) => body.includes("**Waiting for approval"));

export const stories: readonly Story[] = [
  { name: "/solve", prepare: open, act: (place) => say(place, "/solve"), on: 1, isAsked: true },
  {
    name: "a label",
    prepare: open,
    act: ({ forge, repository }) => forge.label(repository, 1, "uwf", "mona"),
    on: 1,
    isAsked: true,
  },
  {
    name: "a review",
    prepare: solved,
    act: ({ forge, repository }) =>
      forge.review(repository, 2, {
        author: "lena",
        verdict: "REQUEST_CHANGES",
        comments: [{ path: "sum.mjs", line: 1, body: "Name the operands." }],
      }),
    on: 2,
    isAsked: true,
  },
  {
    name: "failing checks",
    prepare: solved,
    act: async ({ forge, repository }) => {
      const pull = (await forge.pullRequests(repository)).find(({ number }) => number === 2);
      if (pull === undefined) throw new Error(`${repository} has no pull request`);
      await forge.finishCheck(repository, pull.head, { name: "test", passed: false, log: "not ok 1 - adds" });
    },
    on: 2,
    isAsked: false,
  },
  {
    name: "/plan and /approve",
    prepare: open,
    act: async (place) => {
      await say(place, "/plan");
      const stands = async () => (await isWaiting(place)) || (await endOf(place, { on: 1 })) !== null;
      await until(stands);
      await sleep(1_000);
      if (await isWaiting(place)) await say(place, "/approve");
    },
    on: 1,
    isAsked: true,
  },
];
