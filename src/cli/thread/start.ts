import { defineCommand, jsonOption } from "../command.ts";
import { configHere, requireModel, withEngine } from "../engine-session.ts";
import { exitCodes } from "../exit-code.ts";
import { usageError } from "../parse-arguments.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../style.ts";
import { plainLine } from "../terminal-text.ts";
import { createThreadHere } from "./create-thread.ts";
import { findThread } from "./find-thread.ts";
import { budgetOf, newThreadOptions } from "./new-thread-options.ts";
import { nextCommands, threadJson } from "./thread-text.ts";

export const command = defineCommand({
  description:
    "Creates a thread, queued: a bot that works on this storage root takes it up, or `uwf thread run`. Without --repo its roles work in an empty directory.",
  arguments: { workflow: { summary: "A workflow's name, hash or file." } },
  options: {
    input: {
      type: "string",
      value: "text|@file|url",
      summary: "What is asked: a text (first line: title), a file, or the address of a public issue.",
    },
    repo: { type: "string", value: "path|url", summary: "The git repository to work on." },
    ...newThreadOptions,
    json: jsonOption,
  },
  examples: ['uwf thread start solve-issue --repo . --input "The parser drops the last line"'],
  run: async ({ arguments: { workflow }, options }, context) => {
    if (options.input === undefined)
      throw usageError("thread start", '"uwf thread start" needs --input <text|@file|url>');
    const budgetUsd = budgetOf(options.budget, { name: "thread start" });
    const [{ repositoryHere }, { readIssue }, { requireReachable }] = await Promise.all([
      import("../solve/repository.ts"),
      import("../solve/issue.ts"),
      import("../solve/reachable.ts"),
    ]);
    const repository = options.repo === undefined ? null : repositoryHere(options.repo, context);
    const issue = await readIssue(options.input, context);
    if (repository !== null) await requireReachable(repository, context);
    const config = await configHere(context, { sandbox: "unneeded" });
    await requireModel(config, options);
    const signal = context.interruption(() => undefined);
    const record = await withEngine(context, { config }, async (session) => {
      const id = await createThreadHere(session, {
        workflow,
        repository,
        issue,
        cwd: context.cwd,
        signal,
        model: options.model,
        agents: options.agent,
        env: context.env,
        budgetUsd,
      });
      return findThread(session.store, id);
    });
    if (options.json) {
      printJson(context, threadJson(record));
      return exitCodes.done;
    }
    const style = await styleFor(context.stdout, context);
    context.stdout.write(`${style.cyan(record.id)} ${plainLine(record.title)}: ${record.status}\n`);
    const [next] = nextCommands({ id: record.id, status: record.status });
    if (next !== undefined) context.stdout.write(style.dim(`${next[0]}  ${next[1]}\n`));
    return exitCodes.done;
  },
});
