import type { Edge } from "../store/payload.ts";
import { START } from "./workflow.ts";

type Way = Pick<Edge, "from" | "to" | "when"> & Partial<Pick<Edge, "on">>;

/**
 * The roles in the order in which the moderator can first reach them, those last that a thread comes to only after its end: stored
 * workflows keep no order of their own. Those that only another trigger leads to are left out when it is said what began
 * the thread.
 */
export const roleOrder = (
  { moderator }: { moderator: readonly Way[] },
  options: { trigger?: string } = {},
): string[] => {
  const first = reached(
    moderator.filter(({ on }) => on !== "resume"),
    options,
  );
  return [...new Set([...first, ...reached(moderator, options)])];
};

const reached = (moderator: readonly Way[], { trigger }: { trigger?: string }): string[] => {
  const order: string[] = [];
  const waiting = [START];
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    for (const { to } of moderator.filter((edge) => edge.from === from && isOpen(edge, trigger))) {
      if (to.startsWith("$") || order.includes(to)) continue;
      order.push(to);
      waiting.push(to);
    }
  }
  return order;
};

/** Of conditions, only that form is looked at that asks for a trigger and nothing besides. */
const isOpen = ({ when }: Way, trigger: string | undefined): boolean => {
  const asked = /^\s*trigger\s*==\s*(["'])([^"'\\]*)\1\s*$/.exec(when ?? "")?.[2];
  return asked === undefined || trigger === undefined || asked === trigger;
};
