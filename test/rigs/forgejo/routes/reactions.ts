import { at } from "../../github/api.ts";
import { json, type RigResponse } from "../../github/http.ts";
import { reactionOf } from "../render.ts";
import { type Call, inRepository, notFound, onItem, type Route, refuse } from "../route.ts";
import type { Reaction } from "../world.ts";
import { commentIn } from "./issues.ts";

/** Forgejo's `REACTIONS` as they come. */
const ALLOWED = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];

const onIssue = onItem({
  method: "POST",
  rest: "/issues/(?<number>\\d+)/reactions",
  scope: "issue",
  level: "read",
  answer: (call) => add(call, call.item.reactions),
});

const onComment = inRepository({
  method: "POST",
  rest: "/issues/comments/(?<id>\\d+)/reactions",
  scope: "issue",
  level: "read",
  answer: (call) => {
    const found = commentIn(call.repository, call);
    return found === null ? notFound : add(call, found.comment.reactions);
  },
});

/** The same one again is 200 and not a second one. */
const add = ({ world, by, body }: Call, reactions: Reaction[]): RigResponse => {
  const content = String(at(body, "content"));
  if (!ALLOWED.includes(content)) return refuse(403, `'${content}' is not an allowed reaction`);
  const there = reactions.find((each) => each.content === content && each.by === by);
  if (there !== undefined) return json(200, reactionOf(world, there));
  const made = { content, by };
  reactions.push(made);
  return json(201, reactionOf(world, made));
};

export const reactionRoutes: readonly Route[] = [onIssue, onComment];
