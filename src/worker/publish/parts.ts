import { AppError, inputError } from "../../base/errors.ts";
import { protectedByDefault } from "../../config/protected-paths.ts";
import type { Forge, ForgePlace, Forges } from "../../forge/forge.ts";
import { placeOf } from "../../forge/keys.ts";
import type { RepositorySettings, Source } from "../../store/payload.ts";
import type { History, Store } from "../../store/store.ts";
import type { PublishedWork } from "../../thread/publisher.ts";
import type { Workspaces } from "../../workspace/workspace.ts";

export type PublisherParts = {
  store: Store;
  workspaces: Workspaces;
  /** Null where only local repositories are worked on. */
  forges: Forges | null;
  now: () => number;
};

export type OnForge = { forge: Forge; place: ForgePlace };

/** Where a thread's work goes. */
export type Target = {
  source: Source;
  /** Null for a plain repository. */
  on: OnForge | null;
  settings: RepositorySettings;
};

/** Throws `publish-nowhere`, `permission-lost` (fix-input) and `forge-unconfigured` (fix-config). */
export const targetOf = async (
  { forges }: Pick<PublisherParts, "forges">,
  { history: { start } }: Pick<PublishedWork, "history">,
): Promise<Target> => {
  const { source } = start;
  if (source === null)
    throw inputError("publish-nowhere", "The thread works on no repository: there is nowhere to publish to.");
  const settings = settingsOf(start);
  const place = placeOf(source);
  if (place === null) return { source, on: null, settings };
  if (forges === null)
    throw new AppError(`This process is not set up for ${source.forge}.`, {
      code: "forge-unconfigured",
      remedy: "fix-config",
      hint: "Run the thread where `uwf start` runs.",
    });
  const forge = await forges.open(place);
  await requireWriter(forge, source);
  return { source, on: { forge, place }, settings };
};

/** Where no repository's configuration was read, its defaults. */
const settingsOf = ({ settings }: History["start"]): RepositorySettings =>
  settings ?? {
    branchPrefix: "uwf/",
    draft: "until-tests-pass",
    setup: [],
    instructions: null,
    protectedPaths: [...protectedByDefault],
    reviewers: [],
  };

/**
 * Permission may have been taken away since the trigger. The operator may do what the bot may: nobody on the forge is asked about then,
 * and the forge says itself what the bot may not.
 */
const requireWriter = async (forge: Forge, { requester, operator, repository }: Source): Promise<void> => {
  if (operator === true) return;
  if (requester === null) throw inputError("permission-lost", "Nobody is known to have asked for this work.");
  const permission = await forge.permission(requester.login);
  if (permission === "write" || permission === "admin") return;
  throw inputError(
    "permission-lost",
    `${requester.login} may not write to ${repository} any more, so nothing was published.`,
    "Somebody who may write can ask for the work again.",
  );
};
