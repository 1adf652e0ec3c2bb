import type { CheckReport, PullRequestDetails } from "../../forge/forge.ts";
import { visible } from "../../forge/text/invisible.ts";
import { shownText } from "../shown-text.ts";
import { onOneLine } from "./one-line.ts";
import { relevantLog } from "./relevant-log.ts";

const MOST_CHECKS = 10;
const MAX_SUMMARY_CHARS = 2_000;

/** The checks that fail on a pull request, as a thread's input, each with the part of its log that tells why. */
export const checksInput = ({
  pull,
  report: { failed },
}: {
  pull: Pick<PullRequestDetails, "number" | "title" | "head">;
  report: Pick<CheckReport, "failed">;
}): string =>
  [
    `Checks fail on pull request #${pull.number} (${onOneLine(pull.title)}), commit ${pull.head.commit.slice(0, 12)}.`,
    ...failed
      .slice(0, MOST_CHECKS)
      .map(({ name, summary, log }) =>
        [
          `Check "${onOneLine(name)}":`,
          ...(summary.trim() === ""
            ? []
            : [shownText(summary).trim().slice(0, MAX_SUMMARY_CHARS).toWellFormed()]),
          log === null ? "Its log is not to be had." : indented(visible(relevantLog(log))),
        ].join("\n\n"),
      ),
    ...(failed.length > MOST_CHECKS ? [`${failed.length - MOST_CHECKS} more checks fail.`] : []),
  ].join("\n\n");

const indented = (text: string): string => text.replace(/^/gm, "    ");
