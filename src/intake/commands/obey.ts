import { type CommandName, commandTable } from "../../forge/text/command-table.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { approve } from "./approve.ts";
import { fork, pause, resume, status, stop } from "./control.ts";
import { design } from "./design.ts";
import { help } from "./help.ts";
import { optionProblem } from "./options.ts";
import { ci, fix, review } from "./pull-request.ts";
import { type Answer, type Handler, type Request, told } from "./request.ts";
import { plan, retry, run, solve } from "./start.ts";

const handlers: Readonly<Record<CommandName, Handler>> = {
  solve,
  plan,
  design,
  approve,
  stop,
  pause,
  resume,
  retry,
  fork,
  run,
  fix,
  ci,
  review,
  status,
  help,
};

/** Does what the command says, or answers why not. Throws what may heal, and what a person has to mend. */
export const obey = async (parts: IntakeParts, asked: Asked, request: Request): Promise<Answer> => {
  const { command, issue } = request;
  const { on, usage } = commandTable[command.name];
  if (on === "issues" && issue.isPullRequest)
    return told(
      `\`${usage}\` is for issues. On a pull request of mine, \`/fix [note]\` goes on with the work.`,
    );
  if (on === "pull requests" && !issue.isPullRequest)
    return told(`\`${usage}\` is for pull requests. On an issue, \`/solve [note]\` starts the work.`);
  const problem = optionProblem(parts, asked, command.options);
  return problem === null ? handlers[command.name](parts, asked, request) : told(problem);
};
