import { z } from "zod";
import { AppError } from "../../base/errors.ts";
import type { Locate } from "../forge.ts";
import type { ForgejoClient } from "./forgejo-client.ts";
import type { Identity } from "./identity.ts";
import { permissionOf } from "./permission.ts";
import { placeAt } from "./place.ts";

const Repository = z.object({
  id: z.int(),
  full_name: z.string().min(1),
  owner: z.object({ id: z.int() }),
});

/** Where a repository is that the bot's account may write to: others can be public, too. */
export const forgejoLocate =
  (client: ForgejoClient, { self }: Pick<Identity, "self">): Locate =>
  async (repository) => {
    const place = placeAt(client, repository);
    const found = await client.read({ what: `read ${repository}`, path: place.root }, Repository);
    const { login } = await self();
    const permission = await permissionOf(placeAt(client, found.full_name), login);
    if (permission !== "write" && permission !== "admin")
      throw new AppError(`The bot's account may not write to ${found.full_name}.`, {
        code: "forge-denied",
        remedy: "fix-config",
        hint: "Make it an administrator of the repository, as docs/forgejo.md says.",
      });
    return {
      ...{ forge: "forgejo", repository: found.full_name, installationId: found.owner.id },
      repositoryId: found.id,
    };
  };
