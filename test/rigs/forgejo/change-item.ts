import { tellComment, tellItem } from "./events.ts";
import type { CallInRepository, CallOnItem } from "./route.ts";
import { type Comment, type Item, nowText, type Pull, type TimelineEntry, touch } from "./world.ts";

/** Opens an issue, or a pull request, with labels or without: a second event says that there are labels. */
export const openItem = async (
  call: CallInRepository,
  {
    title,
    body,
    labels,
    pull,
  }: { title: string; body: string; labels: readonly string[]; pull: Pull | null },
): Promise<Item> => {
  const { world, repository, by } = call;
  const at = nowText();
  const item: Item = {
    id: world.nextId(),
    number: repository.items.size + 1,
    ...{ title, body, author: by, state: "open", labels: [], at, updatedAt: at },
    ...{ comments: [], reactions: [], timeline: [], pull },
  };
  repository.items.set(item.number, item);
  const on = { ...call, item };
  for (const label of labels) setLabel(on, label, true);
  await tellItem(call, item, { action: "opened", type: "" });
  if (labels.length > 0) await tellItem(call, item, { action: "label_updated", type: "_label" });
  return item;
};

/** Notes in the timeline what changed; false when nothing did. */
export const setLabel = ({ world, item, by }: CallOnItem, label: string, there: boolean): boolean => {
  if (item.labels.includes(label) === there) return false;
  item.labels = there ? [...item.labels, label] : item.labels.filter((name) => name !== label);
  note(item, { id: world.nextId(), type: "label", author: by, body: there ? "1" : "", label });
  return true;
};

export const addComment = (call: CallOnItem, body: string): Comment => {
  const { world, item, by } = call;
  const at = nowText();
  const comment: Comment = { id: world.nextId(), author: by, body, at, updatedAt: at, reactions: [] };
  item.comments.push(comment);
  note(item, { id: comment.id, type: "comment", author: by, body, label: null });
  tellComment(call, item, { action: "created", comment });
  return comment;
};

export const note = (item: Item, entry: Omit<TimelineEntry, "at">): void => {
  touch(item);
  item.timeline.push({ ...entry, at: item.updatedAt });
};
