import { z } from "zod";
import { AppError } from "../../base/errors.ts";
import type { Permission } from "../forge.ts";
import { statusOf } from "./forgejo-errors.ts";
import type { Place } from "./place.ts";

const granted: Readonly<Record<string, Permission>> = {
  owner: "admin",
  admin: "admin",
  write: "write",
  read: "read",
  none: "none",
};

const Answer = z.object({ permission: z.enum(Object.keys(granted)) });

/**
 * What `login` may do here. Somebody whom Forgejo does not know may do nothing; an unclear answer throws, as does a refusal to
 * answer, which is what everybody gets who is no administrator of the repository.
 */
export const permissionOf = async ({ client, root, fullName }: Place, login: string): Promise<Permission> => {
  const what = `read the permission of ${login} on ${fullName}`;
  const path = [...root, "collaborators", login, "permission"];
  try {
    const { permission } = await client.read({ what, path }, Answer);
    return granted[permission] ?? "none";
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) return "none";
    if (status !== 403) throw error;
    throw new AppError(`Forgejo: could not ${what}: it tells that only to administrators of the repository`, {
      code: "forge-denied",
      remedy: "fix-config",
      hint: "Make the bot's account an administrator of the repository, as docs/forgejo.md says.",
      cause: error,
    });
  }
};
