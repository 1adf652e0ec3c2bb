import type { Source } from "../store/payload.ts";
import type { ForgePlace } from "./forge.ts";

/** Where a thread's repository is; null for one that is on no forge. */
export const placeOf = ({ forge, repository, installationId }: Source): ForgePlace | null =>
  forge === "local" ? null : { forge, repository, installationId };

/** Whose place it is: `github/17`. */
export const installationOf = ({ forge, installationId }: Omit<ForgePlace, "repository">): string =>
  `${forge}/${installationId ?? 0}`;

/** `github/17/owner/name` */
export const repositoryKey = (place: ForgePlace): string => `${installationOf(place)}/${place.repository}`;

/** An issue or a pull request as what threads work on: `github/17/owner/name#12`. */
export const subjectOf = (place: ForgePlace, number: number): string => `${repositoryKey(place)}#${number}`;

/** A commit that a thread has pushed: `github/17/owner/name@<commit>`. */
export const commitKey = (place: ForgePlace, commit: string): string => `${repositoryKey(place)}@${commit}`;
