import { z } from "zod";
import { AppError } from "../../base/errors.ts";
import type { Permission } from "../forge.ts";
import { ask, statusOf } from "./github-errors.ts";
import { inside, type Place } from "./place.ts";

/** GitHub answers the first four; roles in between are named in case it begins to answer them here too. */
const granted: Readonly<Record<string, Permission>> = {
  admin: "admin",
  write: "write",
  read: "read",
  none: "none",
  maintain: "write",
  triage: "read",
};

const Answer = z.object({ permission: z.enum(Object.keys(granted)) });

/** What `login` may do here. Somebody whom GitHub does not know here may do nothing; an unclear answer throws. */
export const permissionOf = async (place: Place, login: string): Promise<Permission> => {
  const what = `read the permission of ${login} on ${place.fullName}`;
  const data = await ask(what, async () => {
    try {
      const request = { ...inside(place), username: login };
      return (await place.octokit.rest.repos.getCollaboratorPermissionLevel(request)).data;
    } catch (error) {
      if (statusOf(error) === 404) return { permission: "none" };
      throw error;
    }
  });
  const answer = Answer.safeParse(data);
  const permission = answer.success ? granted[answer.data.permission] : undefined;
  if (permission !== undefined) return permission;
  throw new AppError(`GitHub: could not ${what}: its answer is not a permission that is known`, {
    code: "forge-unclear",
    remedy: "retry",
    hint: "Nothing is taken for a permission. Check what the API answers to this request.",
  });
};
