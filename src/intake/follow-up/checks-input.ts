import type { CheckReport, PullRequestDetails } from "../../forge/forge.ts";
import type { Shown } from "../../forge/text/shown/left-out.ts";
import { allLeftOut } from "../../forge/text/shown/left-out.ts";
import { shownMarkdown, shownPlain } from "../../forge/text/shown/shown-text.ts";
import { blockText } from "../block.ts";
import type { Input } from "../issue-input.ts";
import { onOneLine } from "./one-line.ts";
import { relevantLog } from "./relevant-log.ts";

const MOST_CHECKS = 10;
const MAX_SUMMARY_CHARS = 2_000;

/** The checks that fail on a pull request, as a thread's input, each with the part of its log that tells why. */
export const checksInput = async ({
  pull,
  report: { failed },
}: {
  pull: Pick<PullRequestDetails, "number" | "title" | "head">;
  report: Pick<CheckReport, "failed">;
}): Promise<Input> => {
  const checks = await Promise.all(failed.slice(0, MOST_CHECKS).map(checkInput));
  const text = [
    `Checks fail on pull request #${pull.number} (${onOneLine(pull.title)}), commit ${pull.head.commit.slice(0, 12)}.`,
    ...checks.map(({ text }) => text),
    ...(failed.length > MOST_CHECKS ? [`${failed.length - MOST_CHECKS} more checks fail.`] : []),
  ].join("\n\n");
  return { text, leftOut: allLeftOut(checks.map(({ leftOut }) => leftOut)) };
};

const checkInput = async ({ name, summary, log }: CheckReport["failed"][number]): Promise<Input> => {
  const said = await shownMarkdown(summary);
  const summed = { ...said, text: said.text.trim().slice(0, MAX_SUMMARY_CHARS).toWellFormed() };
  const logged = log === null ? null : shownPlain(relevantLog(log));
  const text = [
    `Check "${onOneLine(name)}":`,
    ...(summed.text === "" ? [] : [quoted("summary", summed)]),
    logged === null ? "Its log is not to be had." : quoted("log", logged),
  ].join("\n\n");
  return { text, leftOut: allLeftOut([said.leftOut, logged?.leftOut ?? {}]) };
};

const quoted = (of: string, { text, leftOut }: Shown): string =>
  blockText({ kind: "quotation", of, by: null, text, leftOut });
