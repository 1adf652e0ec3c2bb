import type { History } from "../../store/store.ts";
import type { Published } from "../../thread/publisher.ts";
import type { Style } from "../style.ts";
import { plainLine } from "../terminal-text.ts";

/** What the thread has published last; null when nothing. */
export const publishedOf = (history: History): Published | null =>
  history.steps.findLast(({ step }) => step.published !== null)?.step.published ?? null;

/** The branch, and the pull request where there is one. */
export const publishedFields = (history: History, style: Style): [string, string][] => {
  const published = publishedOf(history);
  if (published === null) return [];
  const { branch, commit, url, title } = published;
  return [
    ["branch", `${plainLine(branch)} ${style.dim(commit.slice(0, 10))}`],
    [url === null ? "result" : "pull request", plainLine(url === null ? title : `${title} ${url}`)],
  ];
};
