import { shortHash } from "../../base/ids.ts";
import { holderText } from "../../base/process-holder.ts";
import type { History } from "../../store/store.ts";
import { suspension } from "../../thread/moderator.ts";
import { renderFields } from "../fields.ts";
import { counted, formatAge, formatDuration, formatUsage } from "../format.ts";
import type { Style } from "../style.ts";
import { padEnd, plainLine } from "../terminal-text.ts";
import { publishedFields, pullRequestText, resultCommands } from "./published.ts";
import { type Situation, situationUsage, visits } from "./situation.ts";
import { nextCommands, paintStatus } from "./thread-text.ts";

/** Where a thread stands, for people: what it is, what it has done and cost, its result, and what to do next. */
export const renderSituation = (
  situation: Situation,
  { style, now }: { style: Style; now: number },
): string => {
  const { record, history } = situation;
  const { usage, ms } = situationUsage(situation);
  const reason = abandoned(situation)
    ? ", but its process has ended"
    : record.reason === null
      ? ""
      : `: ${plainLine(record.reason)}`;
  const fields: [string, string][] = [
    ["state", paintStatus(record.status, record.status, style) + reason],
    ["workflow", `${plainLine(record.workflow)} ${style.dim(shortHash(situation.workflow))}`],
    ...(situation.forkOf === null
      ? []
      : [["fork of", plainLine(situation.forkOf)] satisfies [string, string]]),
    ...sourceFields(history),
    ["roles", rolesLine(situation, style)],
    ...openFields(situation),
    ...publishedFields(situation, style),
    ["spent", `${formatUsage(usage)}, ${formatDuration(ms)}`],
    ["created", `${ago(now - record.createdAt)}, changed ${ago(now - record.updatedAt)}`],
  ];
  const title = `${style.bold(plainLine(record.title))}\n${style.dim(record.id)}\n\n`;
  const { toApprove } = situation;
  const next = [
    ...resultCommands(situation),
    ...nextCommands({ ...record, toApprove, abandoned: abandoned(situation) }),
  ];
  const told = `${renderFields(fields, { name: style.dim })}\n${pullRequestText(history, style)}`;
  return title + told + nextText(next, style);
};

/** Its process ended without handing it back: whoever runs it next takes it over. */
const abandoned = ({ record, holder }: Situation): boolean => record.status === "running" && holder === null;

const nextText = (commands: readonly (readonly [string, string])[], style: Style): string => {
  const width = Math.max(...commands.map(([, what]) => what.length));
  const lines = commands.map(
    ([command, what]) => `  ${style.dim(padEnd(what, width))}  ${style.bold(command)}\n`,
  );
  return `${style.dim("Next:")}\n${lines.join("")}`;
};

const ago = (ms: number): string => {
  const age = formatAge(ms);
  return age === "now" ? "just now" : `${age} ago`;
};

const sourceFields = ({ start: { source } }: History): [string, string][] => {
  if (source === null) return [];
  const { issue, repository, defaultBranch } = source;
  const about = issue.url ?? (issue.number === null ? null : `#${issue.number}`);
  return [
    ["repository", `${plainLine(repository)} (${plainLine(defaultBranch)})`],
    ...(about === null ? [] : [["issue", plainLine(about)] satisfies [string, string]]),
  ];
};

const rolesLine = ({ record, history, roles }: Situation, style: Style): string => {
  const last = record.status === "suspended" ? history.steps.at(-1) : undefined;
  const asking = last !== undefined && suspension(last.output) !== null ? last.step.role : null;
  return roles
    .map((role) => {
      const times = visits(history, role);
      if (times === 0) return style.dim(`· ${plainLine(role)}`);
      const mark = role === asking ? style.yellow("?") : style.green("✓");
      return `${mark} ${plainLine(role)}${times > 1 ? ` ×${times}` : ""}`;
    })
    .join("   ");
};

const openFields = (situation: Situation): [string, string][] => {
  const { record, history, open, holder } = situation;
  if (open.length === 0) return [];
  const what = record.tip === null || abandoned(situation) ? "cut off" : "under way";
  const where = holder === null ? "" : `, by ${plainLine(holderText(holder))}`;
  return [["open step", `step ${history.steps.length + 1} ${what}, ${counted(open.length, "turn")}${where}`]];
};
