import { AppError, messageOf } from "../../base/errors.ts";
import type { ThreadId } from "../../base/ids.ts";
import type { EngineSession } from "../engine-session.ts";
import { findThread } from "./find-thread.ts";

/** Keeps what a completed thread has changed and no role publishes on a branch; tells why where that cannot be done. */
export const keepLeft = async (
  { engine, store }: EngineSession,
  { id, signal, tell }: { id: ThreadId; signal: AbortSignal; tell: (line: string) => void },
): Promise<void> => {
  const record = await findThread(store, id);
  if (record.status !== "completed") return;
  const history = await store.history(record.head);
  const workspace = history.steps.at(-1)?.step.workspace ?? null;
  if (workspace === null) return;
  const { publishLeft } = await import("../../worker/publish/left.ts");
  const { workspaces, now } = engine;
  const confirm = async () => signal.throwIfAborted();
  try {
    await publishLeft(
      { store, workspaces, forges: null, now },
      { thread: id, history, workspace, signal, confirm },
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tell(`Files were changed, but are on no branch: ${messageOf(error)}\n`);
  }
};
