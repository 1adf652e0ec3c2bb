import { z } from "zod";
import { diffAnswer, runGit } from "./git-command.ts";
import { workspacePath } from "./paths.ts";
import { defineTool } from "./tool.ts";

export const gitShow = defineTool({
  name: "git_show",
  description:
    "Show a commit: message and diff. Or, with a ref like HEAD~1:src/a.ts, a file as it was then. A long diff comes " +
    "with its summary first; path narrows it.",
  effect: "read",
  input: z.object({
    ref: z.string().min(1).describe("A commit, branch or tag; or <commit>:<path> for a file as it was."),
    path: z.string().min(1).optional().describe("Of the commit's diff only this file or folder."),
  }),
  run: async ({ ref, path }, context) => {
    const paths = path === undefined ? [] : [workspacePath(context.workspace, path)];
    const show = (form: string) =>
      runGit(["show", "--no-ext-diff", "--date=iso", form, "--end-of-options", ref, "--", ...paths], context);
    const whole = await show("--patch");
    if (!whole.ok) return whole;
    if (whole.output === "") return `${ref} is empty.`;
    const stat = async (): Promise<string> => {
      const shown = await show("--stat=160");
      return shown.ok ? shown.output : shown.text;
    };
    return diffAnswer(whole.output, { stat, context });
  },
});
