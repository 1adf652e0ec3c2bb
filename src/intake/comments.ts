import type { Commented } from "../forge/events.ts";
import { unheard } from "./actors.ts";
import { shownNote } from "./commands/note.ts";
import { obey } from "./commands/obey.ts";
import { type ParsedComment, parseComment } from "./commands/parse.ts";
import { type Answer, told } from "./commands/request.ts";
import { hearComment } from "./conversations.ts";
import { tell } from "./notices.ts";
import type { Asked, IntakeParts, Outcome } from "./parts.ts";
import { mayAsk } from "./permission.ts";
import { react } from "./react.ts";

/**
 * Does what the command in a comment asks for, when its author may ask; what only looks like one is answered, once. Any other comment may
 * be what somebody says in a conversation.
 */
export const handleComment = async (parts: IntakeParts, asked: Asked, event: Commented): Promise<Outcome> => {
  const { issue, comment, sender } = event;
  if (sender.isBot) return undefined;
  const { forge, settings } = asked;
  const { name: login } = await forge.botAuthor();
  const parsed = parseComment(comment.body, { mentions: mentionsOf(login), own: settings.commands });
  if (parsed.kind === "nothing") return hearComment(parts, asked, event);
  const actor = { place: asked.place, sender, id: asked.id };
  const isCounted = !isAlwaysObeyed(parsed);
  if (parts.actors.isRefused(actor)) return undefined;
  if (isCounted && (await parts.actors.isUnheard(actor))) return undefined;
  if (!(await mayAsk(forge, sender, parts.log))) {
    await react({ forge, log: parts.log }, { comment: comment.id }, "confused");
    parts.actors.refuse(actor);
    return undefined;
  }
  if (isCounted && (await parts.actors.hear(actor)) === "unheard") {
    const text = unheard(parts.config.limits.perActor.heardPerHour);
    await tell(parts, asked, { number: issue.number, notice: { to: sender.login, text } });
    return undefined;
  }
  const seen = () => react({ forge, log: parts.log }, { comment: comment.id }, "eyes");
  const answer: Answer =
    parsed.kind === "problem"
      ? told(parsed.problem)
      : await obey(parts, asked, {
          command: await shownNote(parsed.command),
          issue,
          sender: { login: sender.login, id: sender.id },
          at: comment.at,
          seen,
        });
  if (answer.kind === "done") return answer.thread;
  await seen();
  await tell(parts, asked, { number: issue.number, notice: { to: sender.login, text: answer.text } });
  return undefined;
};

/** What takes work away is no flood. */
const isAlwaysObeyed = (parsed: ParsedComment): boolean =>
  parsed.kind === "command" && (parsed.command.name === "stop" || parsed.command.name === "pause");

/** The names by which people mention the bot: GitHub's Apps have a login that nobody can mention whole. */
export const mentionsOf = (login: string): string[] => [login, login.replace(/\[bot\]$/, "")];
