import { AppError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";

/**
 * Shows by a reaction that something was seen. Where the forge does not take it, because the comment is gone or the conversation
 * locked, nobody is kept from being obeyed. Throws what may heal.
 */
export const react = async (
  { forge, log }: { forge: Pick<Forge, "repository" | "react">; log: Log },
  target: Parameters<Forge["react"]>[0],
  content: Parameters<Forge["react"]>[1],
): Promise<void> => {
  try {
    await forge.react(target, content);
  } catch (error) {
    if (!(error instanceof AppError) || error.remedy === "retry") throw error;
    log.warn({ repository: forge.repository, error: messageOf(error) }, "the reaction is not taken");
  }
};
