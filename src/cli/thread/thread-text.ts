import type { ThreadId } from "../../base/ids.ts";
import type { ThreadRecord, ThreadStatus } from "../../store/store.ts";
import type { Style } from "../style.ts";

/** How people see a thread's id: its first 13 characters, as with hashes. */
export const shortId = (id: ThreadId): string => id.slice(0, 13);

/** A status in the colour that says whose turn it is. */
export const paintStatus = (text: string, status: ThreadStatus, style: Style): string => {
  switch (status) {
    case "completed":
      return style.green(text);
    case "failed":
      return style.red(text);
    case "paused":
    case "suspended":
      return style.yellow(text);
    case "running":
      return style.cyan(text);
    case "queued":
    case "cancelled":
      return style.dim(text);
  }
};

/**
 * What a person can do now: commands with what they do. `abandoned`: it runs, but its process has ended; `toApprove`: the
 * thread, this one or one that plays a role in it, whose last answer waits for approval.
 */
export const nextCommands = ({
  id,
  status,
  abandoned = false,
  toApprove = null,
}: Pick<ThreadRecord, "id" | "status"> & { abandoned?: boolean; toApprove?: ThreadId | null }): readonly [
  string,
  string,
][] => {
  const thread = shortId(id);
  switch (status) {
    case "queued":
      return [
        [`uwf thread run ${thread}`, "run it here and now"],
        [`uwf thread cancel ${thread}`, "end it"],
      ];
    case "running":
      if (abandoned)
        return [
          [`uwf thread run ${thread}`, "take it up where it was left"],
          [`uwf thread cancel ${thread}`, "end it"],
        ];
      return [
        [`uwf thread pause ${thread}`, "let it stop after the turn under way"],
        [`uwf thread cancel ${thread}`, "end it now"],
      ];
    case "paused":
      return [
        [`uwf thread resume ${thread}`, "let it go on"],
        [`uwf thread cancel ${thread}`, "end it"],
      ];
    case "suspended":
      if (toApprove !== null)
        return [
          [`uwf thread steps ${shortId(toApprove)}`, "read what was answered"],
          [`uwf thread resume --approve ${thread}`, "go on with it"],
          [`uwf thread resume ${thread} "<note>"`, "have it changed"],
          [`uwf thread cancel ${thread}`, "end it"],
        ];
      return [
        [`uwf thread resume ${thread} "<answer>"`, "answer it, and let it go on"],
        [`uwf thread cancel ${thread}`, "end it"],
      ];
    case "failed":
    case "cancelled":
      return [[`uwf thread resume ${thread} "<note>"`, "try again from the last step"]];
    case "completed":
      return [[`uwf thread resume ${thread} "<note>"`, "begin another round"]];
  }
};

/** What programs read about a thread; times in ISO 8601. */
export const threadJson = (record: ThreadRecord) => ({
  id: record.id,
  workflow: record.workflow,
  title: record.title,
  status: record.status,
  reason: record.reason,
  head: record.head,
  createdAt: new Date(record.createdAt).toISOString(),
  updatedAt: new Date(record.updatedAt).toISOString(),
});
