import { type Hash, shortHash } from "../../base/ids.ts";
import { addUsage } from "../../llm/usage.ts";
import type { Payload } from "../../store/payload.ts";
import type { History, ThreadRecord } from "../../store/store.ts";
import { stepsSpent, turnsSpent } from "../../thread/spending.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { renderFields } from "../fields.ts";
import { counted, formatAge, formatDuration, formatUsage } from "../format.ts";
import { printJson } from "../print.ts";
import { type ReadStore, readStore } from "../store-session.ts";
import { type Style, styleFor } from "../style.ts";
import { padEnd, plainLine } from "../terminal-text.ts";
import { findThread, threadArgument } from "./find-thread.ts";
import { publishedFields, publishedOf } from "./published.ts";
import { nextCommands, paintStatus, threadJson } from "./thread-text.ts";

export const command = defineCommand({
  description:
    "Shows where a thread stands: its state and why, its roles, its result, its cost, and what to do next.",
  arguments: { thread: threadArgument },
  options: { json: jsonOption },
  examples: ["uwf thread show 01JD3Q8M5T"],
  run: ({ arguments: { thread }, options }, context) =>
    readStore(context, async (store) => {
      const situation = await readSituation(store, await findThread(store, thread));
      if (options.json) printJson(context, situationJson(situation));
      else {
        const style = await styleFor(context.stdout, context);
        context.stdout.write(renderSituation(situation, { style, now: context.now() }));
      }
      return exitCodes.done;
    }),
});

export type Situation = {
  record: ThreadRecord;
  history: History;
  /** The roles of the workflow, in its order. */
  roles: readonly string[];
  workflow: Hash;
  /** Turns of the step that is under way or was cut off. */
  open: readonly Payload<"turn">[];
};

export const readSituation = async (store: ReadStore, record: ThreadRecord): Promise<Situation> => {
  const history = await store.history(record.head);
  const { roles } = await store.load("workflow", history.start.workflow);
  const tip = record.tip ?? history.end?.turns ?? null;
  const open = tip === null ? [] : await store.turns(tip);
  return { record, history, roles: Object.keys(roles), workflow: history.start.workflow, open };
};

export const situationUsage = ({ history, open }: Pick<Situation, "history" | "open">) => {
  const now = turnsSpent(open, 0);
  const ms = history.steps.reduce((sum, { step }) => sum + step.finishedAt - step.startedAt, now.ms);
  return { usage: addUsage(stepsSpent(history, 0), now.usage), ms };
};

const situationJson = (situation: Situation) => {
  const { record, history, roles, workflow, open } = situation;
  const { usage, ms } = situationUsage(situation);
  return {
    ...threadJson(record),
    workflowHash: workflow,
    input: history.start.input,
    source: history.start.source,
    limits: history.start.limits,
    note: record.note,
    roles: roles.map((role) => ({ role, steps: visits(history, role) })),
    steps: history.steps.length,
    openTurns: open.length,
    published: publishedOf(history),
    usage,
    ms,
  };
};

const visits = (history: History, role: string): number =>
  history.steps.filter(({ step }) => step.role === role).length;

export const renderSituation = (
  situation: Situation,
  { style, now }: { style: Style; now: number },
): string => {
  const { record, history } = situation;
  const { usage, ms } = situationUsage(situation);
  const reason = record.reason === null ? "" : `: ${plainLine(record.reason)}`;
  const fields: [string, string][] = [
    ["state", paintStatus(record.status, record.status, style) + reason],
    ["workflow", `${plainLine(record.workflow)} ${style.dim(shortHash(situation.workflow))}`],
    ...sourceFields(history),
    ["roles", rolesLine(situation, style)],
    ...openFields(situation),
    ...publishedFields(history, style),
    ["spent", `${formatUsage(usage)}, ${formatDuration(ms)}`],
    ["created", `${ago(now - record.createdAt)}, changed ${ago(now - record.updatedAt)}`],
  ];
  const next = nextCommands(record);
  const width = Math.max(...next.map(([command]) => command.length));
  const commands = next.map(
    ([command, what]) => `  ${style.bold(padEnd(command, width))}  ${style.dim(what)}\n`,
  );
  const title = `${style.bold(plainLine(record.title))}\n${style.dim(record.id)}\n\n`;
  return `${title}${renderFields(fields, { name: style.dim })}\n${style.dim("Next:")}\n${commands.join("")}`;
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

const rolesLine = ({ history, roles }: Situation, style: Style): string =>
  roles
    .map((role) => {
      const times = visits(history, role);
      if (times === 0) return style.dim(`· ${plainLine(role)}`);
      return `${style.green("✓")} ${plainLine(role)}${times > 1 ? ` ×${times}` : ""}`;
    })
    .join("   ");

const openFields = ({ record, history, open }: Situation): [string, string][] => {
  if (open.length === 0) return [];
  const what = record.tip === null ? "cut off" : "under way";
  return [["open step", `step ${history.steps.length + 1} ${what}, ${counted(open.length, "turn")}`]];
};
