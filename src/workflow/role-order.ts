import type { Edge } from "../store/payload.ts";
import { START } from "./workflow.ts";

/** The roles in the order in which the moderator can first reach them: stored workflows keep no order of their own. */
export const roleOrder = ({ moderator }: { moderator: readonly Pick<Edge, "from" | "to">[] }): string[] => {
  const order: string[] = [];
  const waiting = [START];
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    for (const { to } of moderator.filter((edge) => edge.from === from)) {
      if (to.startsWith("$") || order.includes(to)) continue;
      order.push(to);
      waiting.push(to);
    }
  }
  return order;
};
