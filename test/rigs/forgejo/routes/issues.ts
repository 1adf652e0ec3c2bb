import { at } from "../../github/api.ts";
import { json } from "../../github/http.ts";
import { addComment, openItem, setLabel } from "../change-item.ts";
import { tellComment, tellItem } from "../events.ts";
import { commentOf, issueOf, labelOf, timelineOf } from "../render.ts";
import { type Call, empty, inRepository, notFound, onItem, paged, type Route, refuse } from "../route.ts";
import { type Comment, type Item, nowText, type Repository, touch } from "../world.ts";

const ISSUE = "/issues/(?<number>\\d+)";

const open = inRepository({
  method: "POST",
  rest: "/issues",
  scope: "issue",
  level: "read",
  answer: async (call) => {
    const labels = named(call.repository, at(call.body, "labels"));
    if (labels === null) return notFound;
    const title = String(at(call.body, "title"));
    const item = await openItem(call, {
      title,
      body: String(at(call.body, "body") ?? ""),
      labels,
      pull: null,
    });
    return json(201, issueOf(call.world, call.repository, item));
  },
});

const read = onItem({
  method: "GET",
  rest: ISSUE,
  scope: "issue",
  level: "read",
  answer: ({ world, repository, item }) => json(200, issueOf(world, repository, item)),
});

const edit = onItem({
  method: "PATCH",
  rest: ISSUE,
  scope: "issue",
  level: "write",
  answer: async (call) => {
    const { item, body } = call;
    item.title = String(at(body, "title") ?? item.title);
    item.body = String(at(body, "body") ?? item.body);
    const state = at(body, "state");
    if (state === "open" || state === "closed") item.state = state;
    touch(item);
    const action = state === "closed" ? "closed" : state === "open" ? "reopened" : "edited";
    await tellItem(call, item, { action, type: "" });
    return json(201, issueOf(call.world, call.repository, item));
  },
});

const timeline = onItem({
  method: "GET",
  rest: `${ISSUE}/timeline`,
  scope: "issue",
  level: "read",
  // It counts the page, not the timeline.
  answer: (call) =>
    paged(
      call,
      call.item.timeline.map((entry) => timelineOf(call.world, call.repository, entry)),
      { tellsTotal: false },
    ),
});

const addLabels = onItem({
  method: "POST",
  rest: `${ISSUE}/labels`,
  scope: "issue",
  level: "write",
  answer: async (call) => {
    const { repository, item, body } = call;
    const labels = named(repository, at(body, "labels"));
    if (labels === null) return refuse(404, "label does not exist");
    for (const label of labels) setLabel(call, label, true);
    await tellItem(call, item, { action: "label_updated", type: "_label" });
    return json(
      200,
      item.labels.map((name) => labelOf(repository, name)),
    );
  },
});

const removeLabel = onItem({
  method: "DELETE",
  rest: `${ISSUE}/labels/(?<label>[^/]+)`,
  scope: "issue",
  level: "write",
  answer: async (call) => {
    const [label] = named(call.repository, [decodeURIComponent(call.params.label ?? "")]) ?? [];
    if (label === undefined) return notFound;
    setLabel(call, label, false);
    await tellItem(call, call.item, { action: "label_updated", type: "_label" });
    return empty;
  },
});

const clearLabels = onItem({
  method: "DELETE",
  rest: `${ISSUE}/labels`,
  scope: "issue",
  level: "write",
  answer: async (call) => {
    for (const label of call.item.labels) setLabel(call, label, false);
    await tellItem(call, call.item, { action: "label_cleared", type: "_label" });
    return empty;
  },
});

const comments = onItem({
  method: "GET",
  rest: `${ISSUE}/comments`,
  scope: "issue",
  level: "read",
  answer: ({ world, repository, item }) =>
    json(
      200,
      item.comments.map((comment) => commentOf(world, repository, item, comment)),
    ),
});

const comment = onItem({
  method: "POST",
  rest: `${ISSUE}/comments`,
  scope: "issue",
  level: "read",
  answer: (call) => {
    const made = addComment(call, String(at(call.body, "body")));
    return json(201, commentOf(call.world, call.repository, call.item, made));
  },
});

const editComment = inRepository({
  method: "PATCH",
  rest: "/issues/comments/(?<id>\\d+)",
  scope: "issue",
  level: "read",
  answer: (call) => {
    const found = commentIn(call.repository, call);
    if (found === null) return notFound;
    const { item, comment: there } = found;
    const before = there.body;
    there.body = String(at(call.body, "body"));
    there.updatedAt = nowText();
    tellComment(call, item, { action: "edited", comment: there, before });
    return json(200, commentOf(call.world, call.repository, item, there));
  },
});

const removeComment = inRepository({
  method: "DELETE",
  rest: "/issues/comments/(?<id>\\d+)",
  scope: "issue",
  level: "read",
  answer: (call) => {
    const found = commentIn(call.repository, call);
    if (found === null) return notFound;
    const { item, comment: there } = found;
    item.comments = item.comments.filter((each) => each !== there);
    tellComment(call, item, { action: "deleted", comment: there });
    return empty;
  },
});

export const commentIn = (
  repository: Repository,
  { params }: Pick<Call, "params">,
): { item: Item; comment: Comment } | null => {
  for (const item of repository.items.values()) {
    const found = item.comments.find(({ id }) => id === Number(params.id));
    if (found !== undefined) return { item, comment: found };
  }
  return null;
};

/** Labels are given by name or by id; null when one is not there. */
const named = ({ labels }: Repository, given: unknown): string[] | null => {
  const names = (Array.isArray(given) ? given : []).map(
    (each) => labels.find(({ id, name }) => name === each || id === Number(each))?.name,
  );
  return names.every((name) => name !== undefined) ? names : null;
};

export const issueRoutes: readonly Route[] = [
  ...[open, read, edit, timeline, addLabels, removeLabel, clearLabels],
  ...[comments, comment, editComment, removeComment],
];
