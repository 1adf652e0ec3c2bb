import { z } from "zod";
import { diffAnswer, runGitScript } from "./git-command.ts";
import { workspacePath } from "./paths.ts";
import { defineTool } from "./tool.ts";

/**
 * New files are part of the work, but git compares only what its index knows: so they are added to a copy of the
 * index, with a place of its own for the one object that this makes. The copy is as old as the index: git looks into files that
 * are as young, because they may have changed within the same second. $1: the commit, empty for HEAD or, before the first commit, for nothing;
 * $2: how to show it; then paths. Warnings are no part of a diff.
 */
const SCRIPT = `
set -e
checked() {
  "$@" 2> "$copy/errors" && return
  cat "$copy/errors"
  exit 1
}
objects=$("\${GIT[@]}" rev-parse --path-format=absolute --git-path objects)
index=$("\${GIT[@]}" rev-parse --path-format=absolute --git-path index)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
if [ -f "$index" ]; then cp -p "$index" "$copy/index"; fi
mkdir "$copy/objects"
export GIT_INDEX_FILE="$copy/index" GIT_OBJECT_DIRECTORY="$copy/objects" GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects"
base=$1 form=$2
shift 2
if [ -z "$base" ]; then
  base=HEAD
  "\${GIT[@]}" rev-parse --quiet --verify HEAD > "$copy/head" || base=$("\${GIT[@]}" hash-object -t tree /dev/null)
fi
checked "\${GIT[@]}" add --intent-to-add -- .
checked "\${GIT[@]}" diff --no-ext-diff "$form" --end-of-options "$base" -- "$@"
`;

export const gitDiff = defineTool({
  name: "git_diff",
  description:
    "Show how the files differ from a commit, new files included. A long diff comes with its summary first; path " +
    "narrows it.",
  effect: "read",
  input: z.object({
    ref: z.string().min(1).optional().describe("The commit, branch or tag to compare with. Default HEAD."),
    path: z.string().min(1).optional().describe("Only this file or folder."),
  }),
  run: async ({ ref, path }, context) => {
    const paths = path === undefined ? [] : [workspacePath(context.workspace, path)];
    const diff = (form: string) => runGitScript(SCRIPT, [ref ?? "", form, ...paths], context);
    const whole = await diff("--patch");
    if (!whole.ok) return whole;
    if (whole.output === "") return `No differences from ${ref ?? "HEAD"}${path ? ` in ${path}` : ""}.`;
    const stat = async (): Promise<string> => {
      const shown = await diff("--stat=160");
      return shown.ok ? shown.output : shown.text;
    };
    return diffAnswer(whole.output, { stat, context });
  },
});
