import { configError } from "../base/errors.ts";
import type { ForgeKind } from "./events.ts";
import type { ForgePlace, Forges } from "./forge.ts";
import type { OpenedForge, OpenedForges } from "./hook.ts";

/** Several forges as one: each place is opened on its own. */
export const forgesByKind = (opened: OpenedForges): Forges => ({
  open: async (place) => onForge(opened, place).forges.open(place),
});

/** Finds repositories on several forges, each by its own. */
export const locateByKind =
  (opened: OpenedForges) =>
  async (forge: ForgeKind, repository: string): Promise<ForgePlace> =>
    onForge(opened, { forge, repository }).locate(repository);

const onForge = (
  opened: OpenedForges,
  { forge, repository }: Pick<ForgePlace, "forge" | "repository">,
): OpenedForge => {
  const there = opened[forge];
  if (there !== undefined) return there;
  throw configError(
    "forge-unconfigured",
    `${repository} is on ${forge === "github" ? "GitHub" : "Forgejo"}, for which this process is not set up.`,
    `Set ${VARIABLES[forge]}; docs/${forge}.md says how to get them.`,
  );
};

/** For who starts a bot that has no forge at all. */
export const noForge = () =>
  configError(
    "forge-unconfigured",
    `There is no forge to serve: neither ${VARIABLES.github} are set, nor ${VARIABLES.forgejo}.`,
    "Set either three in the environment or in .env in the storage root; docs/github.md and docs/forgejo.md say how to get them.",
  );

const VARIABLES: Readonly<Record<ForgeKind, string>> = {
  github: "GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_WEBHOOK_SECRET",
  forgejo: "FORGEJO_URL, FORGEJO_TOKEN and FORGEJO_WEBHOOK_SECRET",
};
