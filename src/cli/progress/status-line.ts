import { formatDuration, formatUsage } from "../format.ts";
import type { Style } from "../style.ts";
import { displayWidth, padEnd, plainLine, truncate } from "../terminal-text.ts";
import type { Activity } from "./activity.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;

/** What is going on, and at the right what it has cost: one line that is never wider than `width` columns. */
export const renderStatusLine = (
  activity: Activity,
  { now, startedAt, width, style }: { now: number; startedAt: number; width: number; style: Style },
): string => {
  const frame = frames[Math.floor(now / frameMs) % frames.length] ?? "";
  const spent = `${formatDuration(now - startedAt)}, ${formatUsage(activity.usage)}`;
  const role = activity.role === null ? "" : `${plainLine(activity.role)}: `;
  // The terminal writes `^C` behind it, and what fills the last column may wrap: then clearing would leave a part.
  const room = width - 3 - displayWidth(spent) - 4;
  if (room < 10) return truncate(`${frame} ${spent}`, width - 3);
  const doing = padEnd(truncate(role + doingText(activity.doing, now), room), room);
  return `${style.cyan(frame)} ${doing}  ${style.dim(spent)}`;
};

const doingText = (doing: Activity["doing"], now: number): string => {
  switch (doing.kind) {
    case "thinking":
      return `thinking ${since(doing.since, now)}`.trim();
    case "calling": {
      const others = doing.others === 0 ? "" : ` and ${doing.others} more`;
      return `${plainLine(doing.name)} ${doing.about}${others} ${since(doing.since, now)}`.trim();
    }
    case "waiting":
      return `waiting ${formatDuration(Math.max(0, doing.until - now))}: ${plainLine(doing.reason)}`;
    case "nothing":
      return "…";
  }
};

/** Short times would only flicker. */
const since = (from: number, now: number): string => (now - from < 3000 ? "" : formatDuration(now - from));
