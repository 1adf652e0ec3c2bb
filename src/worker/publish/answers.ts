import { saidMarker } from "../../forge/text/marker.ts";
import { neutralize } from "../../forge/text/neutralize.ts";
import type { PublishedWork } from "../../thread/publisher.ts";
import type { OnForge } from "./parts.ts";
import type { Submission } from "./submission.ts";

const MAX_CHARS = 4_000;

/** Replies to conversations, once each, however often this is called. One that is gone by now cannot be answered. */
export const postAnswers = async (
  { forge }: OnForge,
  { thread, history, signal, confirm }: PublishedWork,
  { pull, answers }: { pull: number; answers: Submission["answers"] },
): Promise<void> => {
  if (answers.length === 0) return;
  const marker = saidMarker(thread, history.steps.length + 1);
  const conversations = new Map((await forge.reviewThreads(pull)).map((each) => [each.id, each]));
  for (const [id, text] of byConversation(answers)) {
    const { comments } = conversations.get(id) ?? { comments: null };
    const isSaid = comments?.some(({ isOwn, body }) => isOwn && body.includes(marker)) ?? true;
    if (isSaid) continue;
    signal.throwIfAborted();
    await confirm();
    await forge.replyToReview(pull, id, `${neutralize(text, { maxChars: MAX_CHARS })}\n\n${marker}`);
  }
};

/** Two answers to one conversation are one. */
const byConversation = (answers: Submission["answers"]): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const { conversation, text } of answers) {
    const before = texts.get(conversation);
    texts.set(conversation, before === undefined ? text : `${before}\n\n${text}`);
  }
  return texts;
};
