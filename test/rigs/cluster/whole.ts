import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { messageOf } from "../../../src/base/errors.ts";
import { isThreadId } from "../../../src/base/ids.ts";
import type { Payload } from "../../../src/store/payload.ts";
import type { Store, ThreadRecord } from "../../../src/store/store.ts";
import { isEnded } from "../../../src/thread/state.ts";
import type { Cluster, Job } from "../cluster.ts";
import { turnsWithin } from "../turns-within.ts";
import type { Machine } from "./machine.ts";
import { processesOf } from "./processes.ts";
import { jobIn, markedSteps, runsOf } from "./work.ts";

/** How the threads of the jobs stand: `job 3: running`. */
export const statesOf = async (store: Store, jobs: readonly Job[]): Promise<string[]> => {
  const records = await recordsOf(store, jobs);
  return jobs.flatMap(({ job }) => {
    const own = records.filter(({ title }) => jobIn(title) === job);
    return own.length === 0 ? [`job ${job}: no thread`] : own.map((record) => `job ${job}: ${record.status}`);
  });
};

/** Without the threads that play a role in them, which have no line of their own. */
export const recordsOf = async (store: Store, jobs: readonly Job[]): Promise<ThreadRecord[]> => {
  const titles = new Set(jobs.map(({ title }) => title));
  const all = await store.threads({ limit: 10_000 });
  return all.filter(({ title }) => titles.has(title));
};

type WholeOptions = {
  timeoutMs?: number;
  /** Commands in a sandbox can leave none outside. */
  marks?: "left" | "none";
};

/**
 * Waits until every job has ended and its comment says so, then looks at everything that must hold whatever broke: one
 * thread, one pull request and one comment per job; nothing damaged, done twice, or left behind. A failure comes with what
 * the machines said last.
 */
export const expectWhole = async (
  cluster: Cluster,
  jobs: readonly Job[],
  { timeoutMs = 180_000, marks = "left" }: WholeOptions = {},
): Promise<void> => {
  try {
    await expectEnded(cluster.store, jobs, { timeoutMs });
    await expectAll(cluster, jobs);
    if (marks === "left") await expectNoDoubles(cluster, jobs);
  } catch (error) {
    const said = cluster.machines.map((machine) => `${machine.name}: ${machine.output().slice(-4_000)}`);
    throw new Error(`${messageOf(error)}\n\n${said.join("\n\n")}`, { cause: error });
  }
};

const expectAll = async (cluster: Cluster, jobs: readonly Job[]): Promise<void> => {
  const records = await recordsOf(cluster.store, jobs);
  expect(
    records.map(({ title, status, reason }) => `${title}: ${status} ${reason ?? ""}`.trim()).toSorted(),
  ).toEqual(jobs.map(({ title }) => `${title}: completed`).toSorted());
  for (const job of jobs) await expectPublished(cluster, job);
  for (const record of records) await expectChain(cluster, record);
  const damage = [];
  for await (const problem of cluster.store.verify()) damage.push(problem);
  expect(damage).toEqual([]);
  await expectNothingLeft(cluster);
};

/** Waits until the threads of all jobs have ended in whatever way. */
export const expectEnded = async (
  store: Store,
  jobs: readonly Job[],
  { timeoutMs }: { timeoutMs: number },
): Promise<void> => {
  const open = async () => {
    const records = await recordsOf(store, jobs);
    const ended = new Set(records.filter(({ status }) => isEnded(status)).map(({ title }) => title));
    return (await statesOf(store, jobs)).filter((_, index) => !ended.has(jobs[index]?.title ?? ""));
  };
  await expect.poll(open, { timeout: timeoutMs, interval: 250, message: "threads that go on" }).toEqual([]);
};

const expectPublished = async ({ github }: Cluster, { job, repository, issue }: Job): Promise<void> => {
  const bodies = async () => (await github.comments(repository, issue)).map(({ body }) => body);
  await expect
    .poll(bodies, { timeout: 90_000, interval: 250, message: `comments of job ${job}` })
    .toEqual([expect.stringContaining("**Done.**")]);
  const pulls = await github.pullRequests(repository);
  const own = pulls.filter(({ body }) => new RegExp(`Closes #${issue}\\b`).test(body));
  expect(own, `pull requests of job ${job}`).toMatchObject([{ state: "open" }]);
};

/** The three roles once each. */
const expectChain = async ({ store }: Cluster, { head, title }: ThreadRecord): Promise<void> => {
  const { steps } = await store.history(head);
  const roles = steps.map(({ step }) => step.role);
  expect(roles, title).toEqual(["preparer", "developer", "submitter"]);
};

/** A command ran again only as often as the model was told that its call was cut off. */
const expectNoDoubles = async ({ store, marks }: Cluster, jobs: readonly Job[]): Promise<void> => {
  for (const { head, title } of await recordsOf(store, jobs)) {
    const { steps } = await store.history(head);
    const runs = runsOf(marks, jobIn(title) ?? 0);
    const turns = await turnsWithin(store, steps);
    for (const name of markedSteps) {
      const what = `runs of ${name} in ${title}: ${runs[name].join(", ")}`;
      const cutOff = turns.reduce((sum, own) => sum + cutOffCalls(own, name), 0);
      expect(runs[name].length, what).toBeGreaterThan(0);
      expect(runs[name].length - 1, what).toBeLessThanOrEqual(cutOff);
    }
  }
};

/** How often the model was told in one step that this command's call was cut off. */
const cutOffCalls = (turns: readonly Payload<"turn">[], name: string): number => {
  const calls = new Map(
    turns.flatMap((turn) =>
      turn.kind === "reply" ? turn.toolCalls.map((call) => [call.id, call] as const) : [],
    ),
  );
  return turns.filter(
    (turn) =>
      turn.kind === "tool" &&
      turn.text.includes("call was cut off") &&
      calls.get(turn.callId)?.arguments.includes(`${name}.txt`),
  ).length;
};

/** Directories of threads on machines that live, and processes of those that do not. */
const expectNothingLeft = async ({ machines, directory }: Cluster): Promise<void> => {
  const living = () => machines.filter((machine) => machine.isUp());
  const left = () => [
    ...living().flatMap(workspacesOn),
    ...processesOf(directory, { except: living().map(({ pid }) => pid) }),
  ];
  await expect.poll(left, { timeout: 90_000, interval: 250, message: "left behind" }).toEqual([]);
};

const workspacesOn = ({ name, storage }: Machine): string[] => {
  const root = join(storage, "workspaces");
  // The first workspace makes it.
  const names = existsSync(root) ? readdirSync(root) : [];
  return names.filter(isThreadId).map((thread) => `${name}: ${thread}`);
};
