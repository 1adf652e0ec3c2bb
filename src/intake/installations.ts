import { AppError, messageOf } from "../base/errors.ts";
import type { InstallationChanged } from "../forge/events.ts";
import { installationKey, repositoryKey } from "../forge/keys.ts";
import type { ThreadRecord } from "../store/store.ts";
import { cancelThread } from "../thread/commands.ts";
import type { IntakeParts } from "./parts.ts";
import { UNDER_WAY } from "./subjects.ts";

/** At once: there may be any number. */
const MOST = 100;

/** Where the bot was removed, its threads end: it may not even say so there any more. */
export const handleInstallation = async (parts: IntakeParts, event: InstallationChanged): Promise<void> => {
  const { forge, installationId, account, change, repositories } = event;
  parts.log.info(
    { forge, installation: installationId, account, change, repositories },
    "installation changed",
  );
  if (change !== "removed") return;
  const { store } = parts.engine;
  const filters =
    repositories === null
      ? [{ installation: installationKey(event) }]
      : repositories.map((repository) => ({
          repository: repositoryKey({ forge, installationId, repository }),
        }));
  for (const filter of filters) {
    let found: ThreadRecord[];
    do {
      found = await store.threads({ ...filter, status: UNDER_WAY, limit: MOST });
      for (const { id } of found) await end(parts, id);
    } while (found.length === MOST);
  }
};

const end = async ({ engine, log }: IntakeParts, id: Parameters<typeof cancelThread>[1]): Promise<void> => {
  try {
    await cancelThread(engine, id, "The bot was removed from the repository.");
  } catch (error) {
    // It ended by itself meanwhile.
    if (!(error instanceof AppError && error.code === "thread-not-ready")) throw error;
    log.debug({ thread: id, error: messageOf(error) }, "thread ended before it could be stopped");
  }
};
