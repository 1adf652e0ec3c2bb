import { inputError } from "../../base/errors.ts";
import type { ForgejoClient } from "./forgejo-client.ts";

/** One repository, with a client that may work on it. */
export type Place = {
  client: ForgejoClient;
  /** `owner/name`. */
  fullName: string;
  /** What paths in it begin with. */
  root: readonly string[];
};

/** Throws `forge-repository` (fix-input) for what is no `owner/name`. */
export const placeAt = (client: ForgejoClient, repository: string): Place => {
  const [owner, name, ...rest] = repository.split("/");
  if (!owner || !name || rest.length > 0)
    throw inputError("forge-repository", `${repository} is no repository on Forgejo`, "Write owner/name.");
  return { client, fullName: repository, root: ["repos", owner, name] };
};
