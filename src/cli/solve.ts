import { inputError } from "../base/errors.ts";
import { defineCommand, jsonOption } from "./command.ts";
import type { Context } from "./context.ts";
import { configHere, requireModel, unsafeOption } from "./engine-session.ts";
import type { ExitCode } from "./exit-code.ts";
import { budgetOf, newThreadOptions } from "./thread/new-thread-options.ts";
import { type RunHere, runHere } from "./thread/run-here.ts";

type Options = Readonly<
  Record<"repo" | "issue" | "workflow" | "model" | "budget" | "thread", string | undefined> & {
    agent: readonly string[];
  }
>;

export const command = defineCommand({
  description:
    "Solves an issue in this process, and shows how it goes. The result is a branch in the repository and the text of a pull request. No server and no forge are needed. After an interruption of any kind, --thread goes on where it was.",
  arguments: {},
  options: {
    repo: {
      type: "string",
      value: "path|url",
      summary: "The git repository (the one around this directory).",
    },
    issue: {
      type: "string",
      value: "text|@file|url",
      summary: "The issue: its text (first line: title), a file, or the address of a public one.",
    },
    workflow: { type: "string", value: "w", summary: "A workflow's name, hash or file (solve-issue)." },
    ...newThreadOptions,
    thread: { type: "string", value: "id", summary: "Go on with this thread." },
    "unsafe-no-sandbox": unsafeOption,
    json: jsonOption,
  },
  examples: [
    'uwf solve --repo ../parser --issue "The parser drops the last line"',
    "uwf solve --issue https://github.com/owner/name/issues/12 --budget 2",
    'uwf solve --issue @issue.md --agent claude --agent "developer=my-agent --careful"',
    "uwf solve --thread 01JD3Q8M5T",
  ],
  run: async ({ options }, context): Promise<ExitCode> => {
    const thread = options.thread === undefined ? await newThreadOf(options, context) : oldThread(options);
    const config = await configHere(context, {
      sandbox: options["unsafe-no-sandbox"] ? "none" : "configured",
    });
    if (options.thread === undefined) await requireModel(config, options);
    return runHere(context, { config, json: options.json, thread });
  },
});

const oldThread = ({ thread = "", ...others }: Options): RunHere["thread"] => {
  const beside = (["repo", "issue", "workflow", "model", "budget", "agent"] as const).find(
    (name) => others[name] !== undefined && others[name].length > 0,
  );
  if (beside !== undefined)
    throw inputError("usage", `--${beside} does not go with --thread`, "A thread keeps what it began with.");
  return async ({ store }) => {
    const { resolveThread } = await import("../store/resolve.ts");
    return resolveThread(store, thread);
  };
};

/** Everything that a person gave is looked at before anything is created. */
const newThreadOf = async (options: Options, context: Context): Promise<RunHere["thread"]> => {
  if (options.issue === undefined)
    throw inputError("usage", '"uwf solve" needs --issue <text|@file|url>', "See `uwf solve --help`.");
  const budgetUsd = budgetOf(options.budget, { name: "solve" });
  const [{ repositoryHere }, { readIssue }, { requireReachable }] = await Promise.all([
    import("./solve/repository.ts"),
    import("./solve/issue.ts"),
    import("./solve/reachable.ts"),
  ]);
  const repository = repositoryHere(options.repo ?? ".", context);
  const issue = await readIssue(options.issue, context);
  await requireReachable(repository, context);
  const { createThreadHere } = await import("./thread/create-thread.ts");
  return (session, signal) =>
    createThreadHere(session, {
      workflow: options.workflow ?? "solve-issue",
      repository,
      issue,
      cwd: context.cwd,
      signal,
      model: options.model,
      agents: options.agent,
      env: context.env,
      budgetUsd,
    });
};
