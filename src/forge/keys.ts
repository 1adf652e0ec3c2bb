import type { Source } from "../store/payload.ts";
import { type ForgeEvent, isInRepository } from "./events.ts";
import type { ForgePlace } from "./forge.ts";

/** Where a thread's repository is; null for one that is on no forge. */
export const placeOf = ({ forge, repository, installationId, repositoryId }: Source): ForgePlace | null =>
  forge === "local"
    ? null
    : { forge, repository, installationId, ...(repositoryId === undefined ? {} : { repositoryId }) };

/** Whose place it is: `github/17`; on a forge without installations the owner's, `forgejo/acme`. */
export const installationOf = ({ forge, repository, installationId }: ForgePlace): string =>
  installationKey({ forge, installationId, account: repository.split("/")[0] ?? "" });

export const installationKey = ({
  forge,
  installationId,
  account,
}: Omit<ForgePlace, "repository"> & { account: string }): string =>
  `${forge}/${installationId ?? account.toLowerCase()}`;

/** Whose event it is, as `installationOf`. */
export const installationOfEvent = (event: ForgeEvent): string =>
  isInRepository(event) ? installationOf(event) : installationKey(event);

/** `github/17/owner/name` */
export const repositoryKey = (place: ForgePlace): string => `${installationOf(place)}/${place.repository}`;

/** An issue or a pull request as what threads work on: `github/17/owner/name#12`. */
export const subjectOf = (place: ForgePlace, number: number): string => `${repositoryKey(place)}#${number}`;

/** A commit that a thread has pushed: `github/17/owner/name@<commit>`. */
export const commitKey = (place: ForgePlace, commit: string): string => `${repositoryKey(place)}@${commit}`;
