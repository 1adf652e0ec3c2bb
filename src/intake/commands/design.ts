import { AppError } from "../../base/errors.ts";
import { MAX_MESSAGE } from "../../config/designer-config.ts";
import type { EventIssue } from "../../forge/events.ts";
import { DESIGN } from "../../workflow/reserved.ts";
import { tooLong } from "../conversations.ts";
import { whyClosed } from "../follow-up/source.ts";
import { givenInput, type Input } from "../issue-input.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { inputOf, startWork } from "../start-work.ts";
import { answerTo } from "./answer-to.ts";
import { type Handler, told } from "./request.ts";

/** Begins a conversation about a workflow to make, with what the issue and the comment say. */
export const design: Handler = async (parts, asked, { command, issue, sender, seen }) => {
  const closed = await whyClosed(asked, issue);
  if (closed !== null) return told(closed);
  const input = await wish(issue, command.note);
  if (typeof input === "string") return told(input);
  const source = command.options.edit ?? command.options.copy;
  if (source !== undefined) await requireThere(parts, asked, source);
  await seen();
  return answerTo(
    await startWork(parts, asked, {
      workflow: DESIGN,
      trigger: "design",
      about: { number: issue.number, title: issue.title, url: issue.url },
      requester: sender,
      ...inputOf(input),
      options: command.options,
    }),
  );
};

/** What is wanted, as people see it: in a conversation it is what a person says first. A text for people when it is too much. */
export const wish = async (
  { title, body }: Pick<EventIssue, "title" | "body">,
  note: string,
): Promise<Input | string> => {
  const input = await givenInput({ title, body, url: null });
  const text = note === "" ? input.text : `${input.text}\n\n${note}`;
  return text.length > MAX_MESSAGE ? tooLong(text) : { ...input, text };
};

/** A file that does not load is one to mend. Throws `workflow-unknown` (fix-input). */
const requireThere = async ({ findWorkflow }: IntakeParts, { forge }: Asked, name: string): Promise<void> => {
  try {
    await findWorkflow(name, forge);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "workflow-invalid")) throw error;
  }
};
