import type { Forge, ReviewThread } from "../../forge/forge.ts";
import { writersAmong } from "../writers.ts";

/**
 * The conversations in a pull request's reviews that wait for an answer: not resolved, and not answered by the bot since. Of
 * people who may not write, and of other bots, nothing is taken: what they say could be meant for the model.
 */
export const openThreads = async (forge: Forge, number: number): Promise<ReviewThread[]> => {
  const open = (await forge.reviewThreads(number)).filter(
    ({ isResolved, comments }) => !isResolved && comments.at(-1)?.isOwn === false,
  );
  const writers = await writersAmong(
    forge,
    open.flatMap(({ comments }) => comments.filter(({ isOwn }) => !isOwn).map(({ author }) => author)),
  );
  return open.flatMap((thread) => {
    const comments = thread.comments.filter(({ author, isOwn }) => isOwn || writers.has(author));
    return comments.at(-1)?.isOwn === false ? [{ ...thread, comments }] : [];
  });
};
