import { z } from "zod";
import type { ForgeComment } from "../forge.ts";
import { statusOf } from "./forgejo-errors.ts";
import type { Place } from "./place.ts";
import { GHOST, User } from "./user.ts";

const Comment = z.object({
  id: z.int(),
  body: z.string(),
  html_url: z.string(),
  updated_at: z.iso.datetime({ offset: true }),
  user: User.nullish(),
});

/** The oldest comment of the bot's own that holds `marker`. Forgejo answers all comments at once, oldest first. */
export const findComment = async (
  { client, root, fullName }: Place,
  { issue, marker, bot }: { issue: number; marker: string; bot: User },
): Promise<ForgeComment | undefined> => {
  const path = [...root, "issues", issue, "comments"];
  const comments = await client.read(
    { what: `read the comments of ${fullName}#${issue}`, path },
    Comment.array().nullable(),
  );
  const found = comments?.find(({ user, body }) => user?.id === bot.id && body.includes(marker));
  return found === undefined ? undefined : commentOf(found);
};

export const createComment = async (
  { client, root, fullName }: Place,
  { issue, body }: { issue: number; body: string },
): Promise<ForgeComment> => {
  const path = [...root, "issues", issue, "comments"];
  const what = `comment on ${fullName}#${issue}`;
  return commentOf(await client.read({ what, method: "POST", path, body: { body } }, Comment));
};

export const updateComment = (
  { client, root, fullName }: Place,
  { id, body }: { id: number; body: string },
): Promise<void> =>
  client.send({
    what: `edit comment ${id} in ${fullName}`,
    method: "PATCH",
    path: [...root, "issues", "comments", id],
    body: { body },
  });

export const deleteComment = async ({ client, root, fullName }: Place, id: number): Promise<void> => {
  const path = [...root, "issues", "comments", id];
  try {
    await client.send({ what: `delete comment ${id} in ${fullName}`, method: "DELETE", path });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
};

const commentOf = ({
  id,
  body,
  html_url: url,
  updated_at,
  user,
}: z.output<typeof Comment>): ForgeComment => ({
  id,
  body,
  url,
  author: user?.login ?? GHOST,
  editedAt: Date.parse(updated_at),
});
