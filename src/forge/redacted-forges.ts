import type { Redact } from "../base/redact.ts";
import type { Forge, Forges } from "./forge.ts";

/** The forges, to which no text takes a secret of this process: comments, pull requests, reviews and checks. */
export const redactedForges = (forges: Forges, redact: Redact): Forges => ({
  open: async (place) => redactedForge(await forges.open(place), redact),
});

const redactedForge = (forge: Forge, redact: Redact): Forge => ({
  ...forge,
  createComment: (issue, body) => forge.createComment(issue, redact(body)),
  updateComment: (id, body) => forge.updateComment(id, redact(body)),
  createPullRequest: (draft) =>
    forge.createPullRequest({ ...draft, title: redact(draft.title), body: redact(draft.body) }),
  updatePullRequest: (number, { title, body }) =>
    forge.updatePullRequest(number, {
      ...(title === undefined ? {} : { title: redact(title) }),
      ...(body === undefined ? {} : { body: redact(body) }),
    }),
  replyToReview: (number, thread, body) => forge.replyToReview(number, thread, redact(body)),
  createReview: (number, { body, comments, ...review }) =>
    forge.createReview(number, {
      ...review,
      body: redact(body),
      comments: comments.map((comment) => ({ ...comment, body: redact(comment.body) })),
    }),
  setCheck: (check) => forge.setCheck({ ...check, summary: redact(check.summary) }),
});
