import type { Reviewed } from "../forge/events.ts";
import { unheard } from "./actors.ts";
import { openThreads } from "./follow-up/open-threads.ts";
import { reviewInput } from "./follow-up/review-input.ts";
import { notWorkable } from "./follow-up/source.ts";
import { startFollowUp, waitForTurn } from "./follow-up/start.ts";
import { tell } from "./notices.ts";
import type { Asked, IntakeParts, Outcome } from "./parts.ts";
import { mayAsk } from "./permission.ts";
import { inputOf } from "./start-work.ts";

/**
 * A review of the bot's own pull request is work when it asks for something: changes, or an answer. What was said in the meantime
 * is taken with it; when nothing is open any more, there is nothing to do.
 */
export const handleReview = async (parts: IntakeParts, asked: Asked, event: Reviewed): Promise<Outcome> => {
  const { issue, review, sender } = event;
  if (sender.isBot) return undefined;
  const { forge } = asked;
  await waitForTurn(parts, asked, issue.number);
  const actor = { place: asked.place, sender, id: asked.id };
  if (parts.actors.isRefused(actor) || (await parts.actors.isUnheard(actor))) return undefined;
  const pull = await forge.pullRequest(issue.number);
  if (!pull.isOwn || notWorkable(pull, asked) !== null) return undefined;
  if (!(await mayAsk(forge, sender, parts.log))) {
    parts.actors.refuse(actor);
    return undefined;
  }
  if ((await parts.actors.hear(actor)) === "unheard") {
    const text = unheard(parts.config.limits.perActor.heardPerHour);
    await tell(parts, asked, { number: pull.number, notice: { to: sender.login, text } });
    return undefined;
  }
  const threads = await openThreads(forge, pull.number);
  // A body says something new only on its own: with conversations, they say what is asked for.
  const asksByBody = review.verdict !== "approved" && review.body.trim() !== "";
  if (threads.length === 0 && !asksByBody) return undefined;
  const answer = await startFollowUp(parts, asked, {
    pull,
    request: { sender: { login: sender.login, id: sender.id }, command: { options: {} } },
    workflow: "address-review",
    trigger: "review",
    ...inputOf(await reviewInput({ pull, review: { author: sender.login, body: review.body }, threads })),
  });
  if (answer.kind === "done") return answer.thread;
  await tell(parts, asked, { number: pull.number, notice: { to: sender.login, text: answer.text } });
  return undefined;
};
