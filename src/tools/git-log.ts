import { z } from "zod";
import { runGit } from "./git-command.ts";
import { workspacePath } from "./paths.ts";
import { defineTool } from "./tool.ts";

const MAX_COMMITS = 50;

export const gitLog = defineTool({
  name: "git_log",
  description:
    "Show the history: up to 50 commits, newest first, one line each (commit, date, author, subject).",
  effect: "read",
  input: z.object({
    ref: z
      .string()
      .min(1)
      .optional()
      .describe("Where to begin: a branch, tag, commit or range. Default HEAD."),
    path: z.string().min(1).optional().describe("Only commits that changed this file or folder."),
    limit: z.int().min(1).max(MAX_COMMITS).optional().describe("How many commits. Default 50."),
    skip: z.int().min(0).optional().describe("How many commits to leave out first. Default 0."),
  }),
  run: async ({ ref, path, limit, skip }, context) => {
    const count = limit ?? MAX_COMMITS;
    const paths = path === undefined ? [] : [workspacePath(context.workspace, path)];
    const log = await runGit(
      [
        "log",
        "--date=short",
        "--format=%h %ad %an  %s",
        `--max-count=${count + 1}`,
        `--skip=${skip ?? 0}`,
        ...(ref === undefined ? [] : ["--end-of-options", ref]),
        "--",
        ...paths,
      ],
      context,
    );
    if (!log.ok) return log;
    if (log.output === "") return "No commits.";
    const lines = log.output.split("\n");
    if (lines.length <= count) return log.output;
    return `${lines.slice(0, count).join("\n")}\n(There are more: skip ${(skip ?? 0) + count} shows them.)`;
  },
});
