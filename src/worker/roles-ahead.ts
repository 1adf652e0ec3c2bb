import type { Edge } from "../store/payload.ts";
import { holds } from "../workflow/condition.ts";

/**
 * The roles that may come after `from` (a role, or $START), nearest first. An edge that asks what began the thread, or what it is
 * about, and for something else, is left out.
 */
export const rolesAhead = async (
  { moderator }: { moderator: readonly Edge[] },
  { from, trigger, input }: { from: string; trigger: string; input: string },
): Promise<string[]> => {
  const ahead: string[] = [];
  const waiting = [from];
  for (let role = waiting.shift(); role !== undefined; role = waiting.shift()) {
    for (const edge of moderator.filter((each) => isAhead(each, role))) {
      if (ahead.includes(edge.to) || !(await mayHold(edge, { trigger, input }))) continue;
      ahead.push(edge.to);
      waiting.push(edge.to);
    }
  }
  return ahead;
};

/** What comes after the thread's end is not ahead of it. */
const isAhead = ({ from, to, on }: Edge, role: string): boolean =>
  from === role && !to.startsWith("$") && on !== "resume";

/** What depends on outputs that are not there yet cannot be decided, and may hold. */
const mayHold = async ({ when }: Edge, known: { trigger: string; input: string }): Promise<boolean> => {
  if (when === null || !/\b(?:trigger|input)\b/.test(when)) return true;
  return holds(when, { ...known, output: null, steps: {}, visits: {} }).catch(() => true);
};
