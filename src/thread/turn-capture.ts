import type { Journal } from "../agents/adapter.ts";
import { messageOf } from "../base/errors.ts";
import type { Session } from "./session.ts";

/**
 * Captures the files after a call, where the engine does so at every turn. What cannot be kept is logged once: the turn
 * is worth more than its files, and the step's end decides about them.
 */
export const turnCapture = (session: Session): Journal["capture"] => {
  const { engine, history, record, root } = session;
  if (engine.captures !== "each-turn" || history.start.workspace === null) return async () => null;
  let told = false;
  return async () => {
    try {
      await session.workspace();
      return await engine.workspaces.capture(root);
    } catch (error) {
      if (!told)
        engine.log.warn({ thread: record.id, error: messageOf(error) }, "cannot keep a turn's files");
      told = true;
      return null;
    }
  };
};
