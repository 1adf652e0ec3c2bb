import { z } from "zod";
import type { Log } from "../../base/log.ts";
import type { ForgeIssue } from "../forge.ts";
import { statusOf } from "./forgejo-errors.ts";
import type { Place } from "./place.ts";
import { GHOST, User } from "./user.ts";

const Issue = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  user: User.nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  pull_request: z.object({}).nullish(),
});

export const issueOf = async ({ client, root, fullName }: Place, number: number): Promise<ForgeIssue> => {
  const data = await client.read(
    { what: `read ${fullName}#${number}`, path: [...root, "issues", number] },
    Issue,
  );
  return {
    number: data.number,
    title: data.title,
    body: data.body ?? "",
    url: data.html_url,
    author: data.user?.login ?? GHOST,
    labels: (data.labels ?? []).map(({ name }) => name),
    state: data.state,
    isPullRequest: data.pull_request != null,
  };
};

/** Adding the same reaction twice is one reaction. One that the server's administrator does not allow is done without. */
export const react = async (
  { client, root, fullName }: Place,
  {
    target,
    content,
    log,
  }: {
    target: { issue: number } | { comment: number };
    content: "eyes" | "rocket" | "confused";
    log: Log;
  },
): Promise<void> => {
  const isIssue = "issue" in target;
  const subject = isIssue ? ["issues", target.issue] : ["issues", "comments", target.comment];
  const what = isIssue
    ? `react to ${fullName}#${target.issue}`
    : `react to comment ${target.comment} in ${fullName}`;
  try {
    await client.send({ what, method: "POST", path: [...root, ...subject, "reactions"], body: { content } });
  } catch (error) {
    if (statusOf(error) !== 403) throw error;
    log.warn({ repository: fullName, reaction: content, err: error }, "Forgejo does not take the reaction");
  }
};
