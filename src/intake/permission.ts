import type { Log } from "../base/log.ts";
import type { Sender } from "../forge/events.ts";
import type { Forge } from "../forge/forge.ts";

/**
 * Whether the person may write to the repository, asked of the forge. Bots may not, this one included. Throws what the forge
 * throws: an answer that is not clear is no permission.
 */
export const mayAsk = async (
  forge: Forge,
  sender: Pick<Sender, "login" | "isBot">,
  log: Log,
): Promise<boolean> => {
  if (sender.isBot) return false;
  const permission = await forge.permission(sender.login);
  if (permission === "write" || permission === "admin") return true;
  log.info({ repository: forge.repository, sender: sender.login, permission }, "not allowed to ask");
  return false;
};
