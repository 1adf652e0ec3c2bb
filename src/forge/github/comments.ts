import { AppError } from "../../base/errors.ts";
import type { ForgeComment } from "../forge.ts";
import { ask } from "./github-errors.ts";
import type { Bot } from "./identity.ts";
import { inside, type Place } from "./place.ts";

/** The oldest comment of the bot's own that holds `marker`: text can be copied by anybody, authorship cannot. */
export const findComment = (
  place: Place,
  { issue, marker, bot }: { issue: number; marker: string; bot: Bot },
): Promise<ForgeComment | undefined> =>
  ask(`read the comments of ${place.fullName}#${issue}`, async () => {
    const { octokit } = place;
    const request = { ...inside(place), issue_number: issue, per_page: 100 };
    for await (const page of octokit.paginate.iterator(octokit.rest.issues.listComments, request)) {
      const found = page.data.find(({ user, body }) => user?.id === bot.id && body?.includes(marker));
      if (found !== undefined) return commentOf(found);
    }
    return undefined;
  });

export const createComment = async (
  place: Place,
  { issue, body }: { issue: number; body: string },
): Promise<ForgeComment> => {
  const { data } = await ask(`comment on ${place.fullName}#${issue}`, () =>
    place.octokit.rest.issues.createComment({
      ...inside(place),
      issue_number: issue,
      body,
      // An answer that was lost may have been a success: the caller looks for its comment before it tries again.
      request: { retries: 0 },
    }),
  );
  return commentOf(data);
};

export const updateComment = async (
  place: Place,
  { id, body }: { id: number; body: string },
): Promise<void> => {
  await ask(`edit comment ${id} in ${place.fullName}`, () =>
    place.octokit.rest.issues.updateComment({ ...inside(place), comment_id: id, body }),
  );
};

export const deleteComment = async (place: Place, id: number): Promise<void> => {
  try {
    await ask(`delete comment ${id} in ${place.fullName}`, () =>
      place.octokit.rest.issues.deleteComment({ ...inside(place), comment_id: id }),
    );
  } catch (error) {
    if (!(error instanceof AppError && error.code === "forge-missing")) throw error;
  }
};

const commentOf = (data: {
  id: number;
  body?: string;
  html_url: string;
  updated_at: string;
  user: { login: string } | null;
}): ForgeComment => ({
  id: data.id,
  body: data.body ?? "",
  author: data.user?.login ?? "ghost",
  url: data.html_url,
  editedAt: Date.parse(data.updated_at),
});
