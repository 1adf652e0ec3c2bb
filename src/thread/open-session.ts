import type { Workspace } from "../workspace/workspace.ts";
import type { RunOptions } from "./control.ts";
import { openWorkspace } from "./open-workspace.ts";
import { pinnedIn } from "./pinned.ts";
import { roundsAbove } from "./rounds.ts";
import type { Session } from "./session.ts";
import { spentAbove } from "./spent-above.ts";

/** Reads what the thread is made of; its workspace is opened when it is first asked for. */
export const openSession = async (
  claimed: Pick<Session, "engine" | "record" | "control" | "lease">,
  { within, waitOutMs }: Pick<RunOptions, "within" | "waitOutMs">,
): Promise<Session> => {
  const { engine, record } = claimed;
  const history = await engine.store.history(record.head);
  const workflow = await pinnedIn(engine.store).workflow(history.start.workflow);
  let workspace: Promise<Workspace> | undefined;
  const session: Session = {
    ...claimed,
    workflow,
    history,
    current: null,
    root: within?.root ?? record.id,
    outside: await spentAbove(engine.store, { id: record.id, start: history.start }),
    roundsOutside: await roundsAbove(engine.store, { id: record.id, start: history.start }),
    waitOutMs,
    workspace: () => {
      workspace ??= openWorkspace(session);
      return workspace;
    },
  };
  return session;
};
