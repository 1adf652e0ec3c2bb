import type { ForgeIssue } from "../forge.ts";
import { ask } from "./github-errors.ts";
import { inside, type Place } from "./place.ts";

export const issueOf = async (place: Place, number: number): Promise<ForgeIssue> => {
  const { data } = await ask(`read ${place.fullName}#${number}`, () =>
    place.octokit.rest.issues.get({ ...inside(place), issue_number: number }),
  );
  return {
    number: data.number,
    title: data.title,
    body: data.body ?? "",
    url: data.html_url,
    author: data.user?.login ?? "ghost",
    labels: data.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    state: data.state === "closed" ? "closed" : "open",
    isPullRequest: data.pull_request != null,
  };
};

/** Adding the same reaction twice is one reaction. */
export const react = async (
  place: Place,
  target: { issue: number } | { comment: number },
  content: "eyes" | "rocket" | "confused",
): Promise<void> => {
  const { reactions } = place.octokit.rest;
  if ("issue" in target) {
    await ask(`react to ${place.fullName}#${target.issue}`, () =>
      reactions.createForIssue({ ...inside(place), issue_number: target.issue, content }),
    );
  } else {
    await ask(`react to comment ${target.comment} in ${place.fullName}`, () =>
      reactions.createForIssueComment({ ...inside(place), comment_id: target.comment, content }),
    );
  }
};
