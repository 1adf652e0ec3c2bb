import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";
import { checkText } from "../forge/text/check-text.ts";
import type { ThreadView } from "../forge/text/thread-view.ts";
import type { Store } from "../store/store.ts";
import { baseOf, ownSteps, pushedCommit, type Situation } from "./situation.ts";

/**
 * The commits that show how the thread stands: the one that a pull request's work began with, and those that it has pushed; each
 * once.
 */
export const commitsOf = async (store: Store, situation: Situation): Promise<string[]> => {
  const { history } = situation;
  const began = history.start.source?.pullRequest === undefined ? null : await baseOf(store, situation);
  const published = ownSteps(situation).flatMap(({ step }) => step.published?.commit ?? []);
  return [...new Set([began, ...published, pushedCommit(situation)])].filter((commit) => commit !== null);
};

export type Checked = {
  commits: readonly string[];
  view: ThreadView;
  forge: Forge;
  /** Of the live comment. */
  url: string | null;
  /** What each commit's check says, as far as this process has written it. */
  written: Map<string, string>;
};

/**
 * Writes the thread's state on its commits, where it has changed. What the forge refuses is logged, and left. Throws what may heal.
 */
export const showChecks = async (
  log: Log,
  { commits, view, forge, url, written }: Checked,
): Promise<void> => {
  const check = { ...checkText(view), url };
  const key = JSON.stringify(check);
  for (const commit of new Set([...commits, ...written.keys()])) {
    if (written.get(commit) === key) continue;
    try {
      await forge.setCheck({ ...check, commit, thread: view.thread });
    } catch (error) {
      if (!(error instanceof AppError) || error.remedy === "retry") throw error;
      log.warn({ thread: view.thread, commit, error: messageOf(error) }, "cannot set the commit's check");
    }
    written.set(commit, key);
  }
};
