import { z } from "zod";
import type { LabelAddition } from "../forge.ts";
import type { Place } from "./place.ts";
import { GHOST, User } from "./user.ts";

const Entry = z.object({
  id: z.int(),
  type: z.string(),
  body: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }),
  label: z.object({ name: z.string() }).nullish(),
  user: User.nullish(),
});

/** The newest addition of a label in the issue's timeline, where its entry has the body `1` (a removal's is empty). */
export const labelAddition = async (
  { client, root, fullName }: Place,
  { issue, label }: { issue: number; label: string },
): Promise<LabelAddition | undefined> => {
  const what = `read the timeline of ${fullName}#${issue}`;
  const path = [...root, "issues", issue, "timeline"];
  let newest: LabelAddition | undefined;
  for await (const page of client.pages({ what, path, end: "empty" }, Entry))
    for (const entry of page) {
      if (entry.type !== "label" || entry.body !== "1") continue;
      if (entry.label?.name.toLowerCase() !== label.toLowerCase()) continue;
      newest = { id: String(entry.id), by: entry.user?.login ?? GHOST, at: Date.parse(entry.created_at) };
    }
  return newest;
};
