import { amounts } from "./amounts.ts";
import { inlineCode } from "./inline-code.ts";
import { neutralize, neutralizeLine } from "./neutralize.ts";
import type { RoleView } from "./thread-view.ts";

/** A list to tick off: each visit of a role, then those to come. Steps have the numbers by which `/fork` knows them. */
export const checklist = (roles: readonly RoleView[]): string => lines(roles, "").join("\n");

const lines = (roles: readonly RoleView[], indent: string): string[] =>
  roles.flatMap((role) => [`${indent}${item(role)}`, ...lines(role.within, `${indent}  `)]);

const NOTES: Readonly<Record<RoleView["state"], string>> = {
  waiting: "",
  running: " (now)",
  done: "",
  asked: " (asked)",
  failed: " (failed)",
};

const item = ({ name, state }: RoleView): string => {
  const mark = state === "done" || state === "asked" ? "x" : " ";
  return `- [${mark}] ${inlineCode(name)}${NOTES[state]}`;
};

export type Summary = {
  role: RoleView;
  /** From 1 on; null for what is no finished step. */
  step: number | null;
};

/** What a role said, collapsed; nothing while it has said nothing. */
export const summaryBox = ({ role, step }: Summary, { maxChars }: { maxChars: number }): string[] => {
  if (role.summary === null || role.state === "waiting" || role.state === "running") return [];
  const name = `${step === null ? "" : `${step}. `}<code>${tagText(role.name)}</code>`;
  const line = [name, amounts(role)].filter((part) => part !== "").join(" · ");
  return [`<details>\n<summary>${line}</summary>\n\n${neutralize(role.summary, { maxChars })}\n\n</details>`];
};

/** Text between tags, where Markdown does not reach. */
const tagText = (text: string): string =>
  neutralizeLine(text, { maxChars: 100 }).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
