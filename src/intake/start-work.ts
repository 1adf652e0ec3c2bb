import { type ThreadId, threadIdFor } from "../base/ids.ts";
import type { RepositoryConfig } from "../config/repository-config.ts";
import { subjectOf } from "../forge/keys.ts";
import type { LeftOut } from "../forge/text/shown/left-out.ts";
import type { RepositorySettings, Source } from "../store/payload.ts";
import type { Store, ThreadRecord } from "../store/store.ts";
import { requireRoom } from "./actor-limits.ts";
import { alone } from "./alone.ts";
import type { CommandOptions } from "./commands/read-options.ts";
import { createThread, type PlayedRole, type ThreadRequest } from "./create-thread.ts";
import type { Input } from "./issue-input.ts";
import type { Asked, IntakeParts } from "./parts.ts";
import { UNDER_WAY } from "./subjects.ts";

/** Work that somebody who may ask has asked for. */
export type Work = {
  workflow: string;
  /** See `thread-start`. */
  trigger: string;
  /** The issue or pull request that it is about, and that shows how it stands. */
  about: { number: number; title: string; url: string };
  /** null: the server's operator. */
  requester: { login: string; id: number | null } | null;
  input: string;
  /** See `thread-start`. */
  leftOut?: LeftOut;
  options: CommandOptions;
  pullRequest?: Source["pullRequest"];
  /** What makes this work the same when it is asked for again, and since when; default: the delivery. */
  key?: { name: string; at: number };
  /** Throws what is wrong with the workflow for this work: see `ThreadRequest`. */
  check?: (roles: readonly PlayedRole[], workflow: string) => void;
  /** Asked while nobody else starts work on the subject: false when there is nothing to do any more. */
  isWanted?: () => Promise<boolean>;
};

export type Started =
  | { kind: "started"; thread: ThreadRecord }
  /** Other work on the same subject is under way. */
  | { kind: "under-way"; thread: ThreadRecord }
  | { kind: "unwanted" };

/**
 * Starts a thread, or answers the one that is under way for the same issue or pull request. Asked again for the same
 * delivery it answers the same thread, however that stands by now. Throws `subject-busy` (retry), and what `createThread` throws.
 */
export const startWork = async (parts: IntakeParts, asked: Asked, work: Work): Promise<Started> => {
  const { store, holder } = parts.engine;
  const id = threadOf(asked, work);
  const begun = await store.thread(id);
  if (begun !== undefined) return { kind: "started", thread: begun };
  const subject = subjectOf(asked.place, work.about.number);
  return alone({ store, holder }, { subject, signal: asked.signal }, async ({ held, confirm }) => {
    const [running] = await store.threads({ subject, status: UNDER_WAY, limit: 1 });
    if (running !== undefined) return { kind: "under-way", thread: running };
    if (work.pullRequest === undefined && (await wasAnswered(store, { subject, asked })))
      return { kind: "unwanted" };
    if (work.isWanted !== undefined && !(await work.isWanted())) return { kind: "unwanted" };
    const { options, about, check } = work;
    const login = work.requester?.login ?? null;
    const limits = parts.config.limits.perActor;
    await requireRoom({ store, limits, now: parts.engine.now() }, { place: asked.place, login });
    const workflow = await parts.findWorkflow(options.workflow ?? work.workflow, asked.forge);
    const thread = await createThread(
      { config: parts.config, store, workspaces: parts.engine.workspaces, now: parts.engine.now },
      {
        id,
        workflow,
        title: about.title,
        input: work.input,
        ...(work.leftOut === undefined ? {} : { leftOut: work.leftOut }),
        subject,
        trigger: work.trigger,
        ...commandOf(options),
        settings: pinnedSettings(asked.settings),
        source: {
          ...asked.place,
          issue: about,
          requester: work.requester,
          ...(work.requester === null ? { operator: true as const } : {}),
          branch: null,
          ...(work.pullRequest === undefined ? {} : { pullRequest: work.pullRequest }),
        },
        model: options.model ?? null,
        ...(check === undefined
          ? {}
          : { check: (roles: readonly PlayedRole[]) => check(roles, workflow.name) }),
        findWorkflow: (name) => parts.findWorkflow(name, asked.forge),
        budgetUsd: budgetOf(parts, asked, options),
        signal: held,
        confirm,
      },
    );
    return { kind: "started", thread };
  });
};

/** What a repeated command would ask for as well: the workflow is the thread's own. */
const commandOf = ({ workflow: _, ...command }: CommandOptions): Pick<ThreadRequest, "command"> =>
  Object.keys(command).length === 0 ? {} : { command };

/** Work that began after this was received is its answer, even if it has ended meanwhile: two who ask at once ask for one thing. */
const wasAnswered = async (
  store: Store,
  { subject, asked }: { subject: string; asked: Pick<Asked, "receivedAt"> },
): Promise<boolean> => {
  const [last] = await store.threads({ subject, limit: 1 });
  return last !== undefined && last.createdAt > asked.receivedAt;
};

/** What a thread is for, as its work says it. */
export const inputOf = ({ text, leftOut }: Input): Pick<Work, "input" | "leftOut"> => ({
  input: text,
  leftOut,
});

/** Whoever asks twice for the same gets the same thread. */
export const threadOf = ({ id, receivedAt }: Asked, { key }: Pick<Work, "key">): ThreadId =>
  key === undefined ? threadIdFor(id, { at: receivedAt }) : threadIdFor(key.name, { at: key.at });

/** The least of what the server, the repository and the person allow; null: no limit. */
const budgetOf = (
  { config }: IntakeParts,
  { settings }: Asked,
  { budgetUsd }: CommandOptions,
): number | null => {
  const limits = [config.limits.budgetUsd, settings.budgetUsd, budgetUsd ?? null].filter(
    (limit) => limit !== null,
  );
  return limits.length === 0 ? null : Math.min(...limits);
};

/** The most that a person may allow a thread here, in US dollars; null: no limit. */
export const mostBudget = (parts: IntakeParts, asked: Asked): number | null => budgetOf(parts, asked, {});

const pinnedSettings = (settings: RepositoryConfig): RepositorySettings => {
  const { branchPrefix, draft, setup, network, instructions, protectedPaths, reviewers } = settings;
  const commandsOff = Object.keys(settings.commands).filter((word) => settings.commands[word] === false);
  return { branchPrefix, draft, setup, network, instructions, protectedPaths, reviewers, commandsOff };
};
