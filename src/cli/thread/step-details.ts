import { shortHash } from "../../base/ids.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { valueLines } from "../fields.ts";
import { formatDuration, formatUsage } from "../format.ts";
import { printJson } from "../print.ts";
import { readStore } from "../store-session.ts";
import { type Style, styleFor } from "../style.ts";
import { plainLine, plainText } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { keptTexts } from "./kept-texts.ts";
import { type PickedStep, pickStep, turnsOf } from "./pick-step.ts";
import { renderKept, renderTurn } from "./render-turn.ts";
import { stepJson } from "./steps.ts";

export const command = defineCommand({
  description:
    "Shows every turn of one step: what the model was told and said, the calls of tools and their results. The number after the last one is the step that is under way, or was cut off.",
  arguments: {
    thread: threadArgument,
    step: { summary: "The step's number, or the first 8 characters or more of its hash." },
  },
  options: {
    full: { type: "boolean", summary: "Show long texts whole." },
    json: jsonOption,
  },
  examples: ["uwf thread step-details 01JD3Q8M5T 2", "uwf thread step-details 01JD3Q8M5T 2 --full | less -R"],
  run: ({ arguments: { thread, step }, options }, context) =>
    readStore(context, async (store) => {
      const record = await findThread(store, thread);
      const history = await store.history(record.head);
      const picked = pickStep({ history, record }, step);
      const tip = turnsOf(picked);
      const turns = tip === null ? [] : await store.turns(tip);
      const kept = picked.kind === "finished" ? await keptTexts(store, picked.record.step) : [];
      if (options.json) {
        const about =
          picked.kind === "finished" ? stepJson(picked.record, picked.index - 1) : { index: picked.index };
        printJson(context, { ...about, finished: picked.kind === "finished", turns, kept });
        return exitCodes.done;
      }
      const style = await styleFor(context.stdout, context);
      context.stdout.write(renderHead(picked, style));
      const look = { style, maxLines: options.full ? Number.POSITIVE_INFINITY : 24 };
      for (const turn of turns) context.stdout.write(`\n${renderTurn(turn, look)}`);
      for (const text of kept) context.stdout.write(`\n${renderKept(text, look)}`);
      if (picked.kind === "finished") context.stdout.write(`\n${renderOutput(picked.record.output, style)}`);
      return exitCodes.done;
    }),
});

const renderHead = (picked: PickedStep, style: Style): string => {
  if (picked.kind === "unfinished")
    return `${style.bold(`Step ${picked.index}`)}  ${style.yellow("not finished")}\n`;
  const { hash, step } = picked.record;
  const spent = `${formatDuration(step.finishedAt - step.startedAt)}, ${formatUsage(step.usage)}`;
  const title = style.bold(`Step ${picked.index}: ${plainLine(step.role)}`);
  const published = step.published === null ? "" : `\nPublished ${plainLine(step.published.branch)}\n`;
  return `${title}  ${style.cyan(shortHash(hash))}  ${style.dim(spent)}\n${published}`;
};

const renderOutput = (output: unknown, style: Style): string => {
  const lines = valueLines(output, (text) => plainText(text));
  return `${style.green("■ output")}\n${lines.map((line) => `  ${line.replaceAll("\n", "\n    ")}\n`).join("")}`;
};
