import type { NewTurn } from "../agents/adapter.ts";
import type { Hash } from "../base/ids.ts";
import { repositoryName } from "../workspace/repository-name.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { threadReach } from "./refused-hosts.ts";
import type { Session } from "./session.ts";
import { setUp } from "./set-up.ts";

/** What a role is told whose work goes on in a new directory. */
export const MOVED =
  "This work goes on on another machine. The repository's files are as your finished calls left them, as far as they " +
  "could be kept. What git ignores (installed packages, build results), outputs kept in files, and commits of your own " +
  "are not here: make again what you still need.";

/** Opens the thread's workspace as it was captured last, ready to be worked in, and says where it is now. */
export const openWorkspace = async (session: Session): Promise<Workspace> => {
  const { engine, history, root, lease } = session;
  const { source, workspace } = history.start;
  const reach = threadReach(engine.store, { root, settings: history.start.settings, confirm: lease.ensure });
  if (source === null || workspace === null) return engine.workspaces.open(root, null, reach);
  const [{ base }, here, lastAt] = await Promise.all([
    engine.store.load("workspace", workspace),
    engine.workspaces.place(),
    engine.store.link(root, "workspace"),
  ]);
  const repository = repositoryName(source);
  const wanted = { repository, base, captured: lastCaptured(session), lastAt };
  const opened = await engine.workspaces.open(root, wanted, reach);
  if (lastAt !== here) {
    await lease.ensure();
    await engine.store.setLink(root, "workspace", here);
    if (lastAt !== undefined) await tellMove(session);
  }
  await setUp(session, opened);
  return opened;
};

/** The files as the last call that was captured left them; null when none was. */
export const capturedIn = (turns: readonly NewTurn[]): Hash | null => {
  for (const turn of turns.toReversed()) if ("workspace" in turn && turn.workspace) return turn.workspace;
  return null;
};

/** The files as the thread has kept them last; null when it has none. */
export const lastCaptured = ({ history, current }: Session): Hash | null =>
  capturedIn(current?.journal.turns ?? []) ??
  history.end?.workspace ??
  history.steps.at(-1)?.step.workspace ??
  history.start.workspace;

/** A role that has not begun looks around anyway. */
const tellMove = async ({ current, engine }: Session): Promise<void> => {
  if (current === null || current.journal.turns.length === 0) return;
  await current.journal.append({ kind: "message", text: MOVED, at: engine.now() });
};
