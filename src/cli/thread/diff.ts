import type { BaseFile } from "../../thread/compare/files-between.ts";
import type { Workspaces } from "../../workspace/workspace.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { configHere, withEngine } from "../engine-session.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../style.ts";
import { findThread } from "./find-thread.ts";
import { renderThreadDiff, threadDiffJson } from "./render-thread-diff.ts";

export const command = defineCommand({
  description:
    "Shows what two threads have in common and where they part: the steps that they share, then step by step who played, what was answered, which files differ and what it took, and how each has ended. For a thread and its fork, or for two threads of one workflow.",
  arguments: {
    a: { summary: "A thread's id, or its first 8 characters or more." },
    b: { summary: "The other thread's." },
  },
  options: { json: jsonOption },
  examples: ["uwf thread diff 01JD3Q8M5T 01JD3R2K7A"],
  run: async ({ arguments: { a, b }, options }, context) => {
    const config = await configHere(context, { sandbox: "unneeded" });
    const between = await withEngine(context, { config }, async ({ engine, store }) => {
      const { compareThreads } = await import("../../thread/compare/compare-threads.ts");
      const [left, right] = [await findThread(store, a), await findThread(store, b)];
      return compareThreads({ store, baseFile: baseFileOf(engine.workspaces) }, left, right);
    });
    if (options.json) printJson(context, threadDiffJson(between));
    else context.stdout.write(renderThreadDiff(between, await styleFor(context.stdout, context)));
    return exitCodes.done;
  },
});

/** Where the commit cannot be read here, its files are not known, and nothing else is lost. */
const baseFileOf =
  (workspaces: Pick<Workspaces, "file">): BaseFile =>
  async ({ repository, commit }, path) => {
    try {
      return await workspaces.file(repository, { commit, path });
    } catch {
      return null;
    }
  };
