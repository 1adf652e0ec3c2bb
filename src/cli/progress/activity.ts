import { addUsage } from "../../llm/usage.ts";
import type { Usage } from "../../store/payload.ts";
import type { ThreadEvent } from "../../thread/events.ts";
import { summarizeCall } from "../call-summary.ts";

/** What a thread is doing now, from its events. Times in milliseconds since the epoch. */
export type Activity = {
  role: string | null;
  doing:
    | { kind: "thinking"; since: number }
    | { kind: "calling"; name: string; about: string; others: number; since: number }
    | { kind: "waiting"; reason: string; until: number }
    | { kind: "nothing" };
  /** Calls that have begun and not ended, oldest first. */
  calls: readonly { id: string; name: string; about: string; since: number }[];
  usage: Usage;
};

export const idle = (usage: Usage): Activity => ({
  role: null,
  doing: { kind: "nothing" },
  calls: [],
  usage,
});

export const nextActivity = (activity: Activity, event: ThreadEvent): Activity => {
  switch (event.kind) {
    case "step-started":
      return { ...activity, role: event.role, calls: [], doing: { kind: "thinking", since: event.at } };
    case "model-text":
      if (activity.doing.kind !== "waiting") return activity;
      return { ...activity, doing: { kind: "thinking", since: event.at } };
    case "model-waiting":
      return { ...activity, doing: { kind: "waiting", reason: event.reason, until: event.at + event.ms } };
    case "model-replied": {
      const usage = addUsage(activity.usage, event.usage);
      return { ...activity, usage, doing: { kind: "thinking", since: event.at } };
    }
    case "tool-started": {
      const about = summarizeCall(event.name, event.arguments);
      return withCalls(activity, event.at, [
        ...activity.calls,
        { id: event.callId, name: event.name, about, since: event.at },
      ]);
    }
    case "tool-finished":
      return withCalls(
        activity,
        event.at,
        activity.calls.filter(({ id }) => id !== event.callId),
      );
    case "step-finished":
      return { ...activity, calls: [], doing: { kind: "nothing" } };
    case "model-called":
    case "tool-output":
    case "published":
    case "status":
      return activity;
  }
};

const withCalls = (activity: Activity, at: number, calls: Activity["calls"]): Activity => {
  const [first, ...others] = calls;
  if (first === undefined) return { ...activity, calls, doing: { kind: "thinking", since: at } };
  const { name, about, since } = first;
  return { ...activity, calls, doing: { kind: "calling", name, about, others: others.length, since } };
};
