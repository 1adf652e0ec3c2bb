import type { History } from "../../store/store.ts";
import type { Published } from "../../thread/publisher.ts";
import { shellWord } from "../shell-word.ts";
import type { Style } from "../style.ts";
import { plainLine, plainText } from "../terminal-text.ts";

/** What the thread itself has published last; null when nothing. */
export const publishedOf = (history: History): Published | null =>
  history.steps.slice(history.shared).findLast(({ step }) => step.published !== null)?.step.published ?? null;

/** The branch, and the pull request where there is one. */
export const publishedFields = (
  { history, left }: { history: History; left: string | null },
  style: Style,
): [string, string][] => {
  if (left !== null) return [["branch", style.bold(plainLine(left))]];
  const published = publishedOf(history);
  if (published === null) return [];
  const { branch, commit, url } = published;
  return [
    ["branch", `${style.bold(plainLine(branch))} ${style.dim(commit.slice(0, 10))}`],
    ...(url === null ? [] : [["pull request", plainLine(url)] satisfies [string, string]]),
  ];
};

/** The pull request's title and body beside a bar; nothing when there is none. */
export const pullRequestText = (history: History, style: Style): string => {
  const published = publishedOf(history);
  if (published === null) return "";
  const body = plainText(published.body).trim().split("\n");
  const lines = [style.bold(plainLine(published.title)), "", ...body];
  return `${lines.map((line) => `${style.dim("│")} ${line}`.trimEnd()).join("\n")}\n\n`;
};

/** How to look at a branch in a repository that has no pull requests. */
export const resultCommands = ({
  history,
  left,
}: {
  history: History;
  left: string | null;
}): [string, string][] => {
  const published = publishedOf(history);
  const { source } = history.start;
  const name = left ?? (published?.url === null ? published.branch : null);
  if (name === null || source?.forge !== "local") return [];
  const branch = shellWord(name);
  const base = shellWord(source.defaultBranch);
  if (!source.repository.startsWith("/"))
    return [[`git fetch ${shellWord(source.repository)} ${branch}`, "fetch the result"]];
  const git = `git -C ${shellWord(source.repository)}`;
  return [
    [`${git} log --stat ${base}..${branch}`, "see what was done"],
    [`${git} diff ${base}...${branch}`, "see every change"],
  ];
};
