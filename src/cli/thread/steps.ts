import { shortHash } from "../../base/ids.ts";
import type { StepRecord } from "../../store/store.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { valueLines } from "../fields.ts";
import { counted, formatDuration, formatUsage } from "../format.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { type Style, styleFor } from "../style.ts";
import { plainLine, truncate } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { shortId } from "./thread-text.ts";

export const command = defineCommand({
  description: "Lists a thread's steps, the oldest first, with what each role answered.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread steps 01JD3Q8M5T"],
  run: ({ arguments: { thread }, options }, context) =>
    readStore(context, async (store) => {
      const record = await findThread(store, thread);
      const { steps } = await store.history(record.head);
      if (options.json) {
        printJson(context, steps.map(stepJson));
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      const width = context.stdout.columns() || Number.POSITIVE_INFINITY;
      for (const [index, step] of steps.entries())
        context.stdout.write(renderStep(step, { number: index + 1, style, width }));
      if (steps.length === 0 && record.tip === null) context.stderr.write("No step has begun yet.\n");
      if (record.tip !== null) {
        const turns = counted((await store.turns(record.tip)).length, "turn");
        const details = `uwf thread step-details ${shortId(record.id)} ${steps.length + 1}`;
        context.stdout.write(
          style.dim(`Step ${steps.length + 1} is under way: ${turns}; see \`${details}\`.\n`),
        );
      }
      return exitCodes.done;
    }),
});

export const stepJson = ({ hash, step, output }: StepRecord, index: number) => ({
  index: index + 1,
  hash,
  role: step.role,
  task: step.task,
  output,
  workspace: step.workspace,
  published: step.published,
  ...(step.childThreadId === undefined ? {} : childJson(step)),
  usage: step.usage,
  startedAt: new Date(step.startedAt).toISOString(),
  finishedAt: new Date(step.finishedAt).toISOString(),
});

const childJson = ({ childThreadId, childWorkflow, childHash }: StepRecord["step"]) => ({
  childThreadId,
  childWorkflow,
  childHash,
});

const renderStep = (
  { hash, step, output }: StepRecord,
  { number, style, width }: { number: number; style: Style; width: number },
): string => {
  const spent = `${formatDuration(step.finishedAt - step.startedAt)}, ${formatUsage(step.usage)}`;
  const head = `${style.bold(`${number} ${plainLine(step.role)}`)}  ${style.cyan(shortHash(hash))}  ${style.dim(spent)}`;
  const child =
    step.childThreadId === undefined
      ? []
      : [
          style.dim(
            `by workflow ${plainLine(step.childWorkflow ?? "")}: uwf thread steps ${step.childThreadId}`,
          ),
        ];
  const lines = valueLines(output, (text) => truncate(plainLine(text), width - 4));
  return `${[head, ...[...child, ...lines].map((line) => `    ${line}`)].join("\n")}\n`;
};
