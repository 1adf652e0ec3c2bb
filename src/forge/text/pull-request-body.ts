import { type Hash, shortHash, type ThreadId } from "../../base/ids.ts";
import type { Usage } from "../../store/payload.ts";
import type { Refusal } from "../../workspace/network/refusal.ts";
import { amounts, duration } from "./amounts.ts";
import { inlineCode } from "./inline-code.ts";
import { BREAK } from "./invisible.ts";
import { mermaidBlock } from "./mermaid-block.ts";
import { neutralize } from "./neutralize.ts";
import { refusedHosts } from "./refused-hosts.ts";

/** What the thread did, for whoever reviews its work. */
export type Receipt = {
  thread: ThreadId;
  workflow: { name: string; hash: Hash };
  /** One entry per role that worked, in order; `prompt` names the role's node: system prompt, schema and tools. */
  roles: readonly { role: string; model: string; prompt: Hash }[];
  /** The commands that roles ran, oldest first; `ok` is false when the command failed. */
  commands: readonly { command: string; ok: boolean; ms: number }[];
  /** The commands that made the workspace ready, in order; absent when there were none. */
  setup?: readonly { command: string; ok: boolean }[];
  usage: Usage;
  ms: number;
  /** The commit that the work began with. */
  base: string | null;
};

export type PullRequestText = {
  /** As the submitting role wrote it. */
  body: string;
  /** A Mermaid flowchart of uwf's own to show with it. */
  graph?: string;
  /** The issue that the pull request closes. */
  issue: number | null;
  /** The pull request from whose work a fork goes on; absent when it is no fork's. */
  beside?: number;
  /** Why the work is unfinished and what is left, as a role wrote it; absent when it is finished. */
  partial?: string;
  /** What the network's proxy did not let commands reach. */
  refused?: readonly Refusal[];
  receipt: Receipt;
};

const SHOWN_COMMANDS = 30;
const PARTIAL_CHARS = 4_000;

/**
 * The pull request's body: beside which one it stands, what is unfinished, the submitter's text, what it closes, what its commands did
 * not reach, and a collapsed receipt.
 */
export const pullRequestBody = ({
  body,
  graph,
  issue,
  beside,
  partial,
  refused = [],
  receipt,
}: PullRequestText): string =>
  [
    ...(beside === undefined
      ? []
      : [`This stands beside #${beside}: it goes on another way from one of that work's steps.`]),
    ...(partial === undefined
      ? []
      : [`**Unfinished.**\n\n${neutralize(partial, { maxChars: PARTIAL_CHARS })}`]),
    neutralize(issue === null ? body : withoutClosing(body, issue)),
    ...(graph === undefined ? [] : [mermaidBlock(graph)]),
    ...(issue === null ? [] : [`Closes #${issue}`]),
    refusedHosts(refused),
    receiptText(receipt),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

/** Without lines that say nothing but what the engine says itself. */
const withoutClosing = (body: string, issue: number): string => {
  const line = `^[ \\t]*(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #${issue}\\.?[ \\t]*$(?:\\r?\\n)*`;
  return body.replace(new RegExp(line, "gim"), "");
};

const receiptText = (receipt: Receipt): string => {
  const { workflow, roles, commands, setup = [], usage, ms, base, thread } = receipt;
  const rows: [string, string][] = [
    ["Workflow", `${inlineCode(workflow.name)} ${inlineCode(shortHash(workflow.hash))}`],
    ...roleRows(roles),
    ...(base === null ? [] : [["Base", inlineCode(base.slice(0, 12))] as [string, string]]),
    ["Thread", inlineCode(thread)],
  ];
  return [
    `<details>\n<summary>Receipt: ${amounts({ ms, usage })}</summary>`,
    ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${cell(name)} | ${cell(value)} |`)].join("\n"),
    ...setupList(setup),
    ...commandList(commands),
    "</details>",
  ].join("\n\n");
};

/** One for each role that worked with the same model and prompt, in the order of their first work. */
const roleRows = (roles: Receipt["roles"]): [string, string][] => {
  const times = new Map<string, number>();
  const rows = new Map<string, { role: string; value: string }>();
  for (const { role, model, prompt } of roles) {
    const key = JSON.stringify([role, model, prompt]);
    times.set(key, (times.get(key) ?? 0) + 1);
    rows.set(key, { role, value: `${inlineCode(model)}, prompt ${inlineCode(shortHash(prompt))}` });
  }
  return [...rows].map(([key, { role, value }]) => {
    const often = times.get(key) ?? 1;
    return [`${inlineCode(role)}${often > 1 ? `, ${often} times` : ""}`, value];
  });
};

/** A backslash right before a bar would take the bar's own escape. */
const cell = (text: string): string =>
  text.replace(/\\?\|/g, (bar) => (bar === "|" ? "\\|" : `\\${BREAK}\\|`));

const setupList = (setup: NonNullable<Receipt["setup"]>): string[] => {
  if (setup.length === 0) return [];
  const lines = setup.map(({ command, ok }) => `- ${inlineCode(command)}${ok ? "" : " (failed)"}`);
  return ["Commands run to make the workspace ready:", lines.join("\n")];
};

const commandList = (commands: Receipt["commands"]): string[] => {
  if (commands.length === 0) return [];
  const shown = commands.slice(-SHOWN_COMMANDS);
  const left = commands.length - shown.length;
  const lines = shown.map(
    ({ command, ok, ms }) => `- ${inlineCode(command)} (${ok ? "" : "failed, "}${duration(ms)})`,
  );
  const heading =
    left > 0 ? `Commands run, the last ${shown.length} of ${commands.length}:` : "Commands run:";
  return [heading, lines.join("\n")];
};
