import type { NewReview } from "../forge.ts";
import { inlineCode } from "./inline-code.ts";

/** A review's body with comments that have no place in its diff. */
export const bodyWithComments = (body: string, comments: NewReview["comments"]): string =>
  [body, ...comments.map((each) => `${inlineCode(`${each.path}:${each.line}`)}: ${each.body}`)]
    .filter((part) => part.trim() !== "")
    .join("\n\n");
