import { z } from "zod";

/** People have positive ids; Forgejo's own, such as the ghost of somebody who left, have not. */
export const User = z.object({ login: z.string().min(1), id: z.int() });
export type User = z.output<typeof User>;

/** Whom Forgejo shows in the place of somebody who left. */
export const GHOST = "ghost";

/** Forgejo does not say who is a bot: its own users, names that say so, and this bot are. */
export const isBot = (user: User, self: User | null): boolean =>
  user.id <= 0 ||
  user.login.toLowerCase() === GHOST ||
  /\[bot\]$/i.test(user.login) ||
  user.id === self?.id ||
  user.login.toLowerCase() === self?.login.toLowerCase();
