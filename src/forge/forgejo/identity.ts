import type { Author } from "../../workspace/workspace.ts";
import type { ForgejoClient } from "./forgejo-client.ts";
import { User } from "./user.ts";

export type Identity = {
  /** Who the bot is: asked once; a failure is forgotten, so that the next call tries again. */
  self(): Promise<User>;
  /** What is known of it by now. */
  known(): User | null;
};

export const identityOf = (client: ForgejoClient): Identity => {
  let asked: Promise<User> | undefined;
  let known: User | null = null;
  const read = async (): Promise<User> => {
    known = await client.read({ what: "read who the bot is", path: ["user"] }, User);
    return known;
  };
  return {
    self: () => {
      asked ??= read().catch((error: unknown) => {
        asked = undefined;
        throw error;
      });
      return asked;
    },
    known: () => known,
  };
};

/** The address by which Forgejo credits commits to a user without telling theirs. */
export const authorOf = ({ login }: Pick<User, "login">, { url }: { url: string }): Author => ({
  name: login,
  email: `${login.toLowerCase()}@noreply.${new URL(url).hostname}`,
});
