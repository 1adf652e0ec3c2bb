import type { Edge } from "../../store/payload.ts";
import { END, START, type Workflow } from "../workflow.ts";

type Mode = "new" | "resume";

/** Everything that can be reached from `$START`, without passing through `avoiding`. */
export const reachable = (
  { moderator }: Workflow,
  { mode, avoiding }: { mode?: Mode; avoiding?: string } = {},
): Set<string> => {
  const seen = new Set<string>([START]);
  const open = [START];
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const edge of moderator) {
      if (edge.from !== from || edge.to === avoiding || seen.has(edge.to)) continue;
      if (mode !== undefined && edge.on !== null && edge.on !== mode) continue;
      seen.add(edge.to);
      open.push(edge.to);
    }
  return seen;
};

/** Everything from which `$END` can be reached. */
export const reachesEnd = ({ moderator }: Workflow): Set<string> => {
  const seen = new Set<string>([END]);
  const open = [END];
  for (let to = open.pop(); to !== undefined; to = open.pop())
    for (const edge of moderator)
      if (edge.to === to && !seen.has(edge.from)) {
        seen.add(edge.from);
        open.push(edge.from);
      }
  return seen;
};

/** True when `role` has run, whichever way the thread came, once `edge` is taken. */
export const hasSurelyRun = (workflow: Workflow, { role, edge }: { role: string; edge: Edge }): boolean => {
  if (role === edge.from) return true;
  const fresh = reachable(workflow, { mode: "new", avoiding: role });
  // A thread goes by the `resume` edges after it came to its end once.
  const beforeEnd = !fresh.has(END);
  if (edge.from === START) return edge.on === "resume" && beforeEnd;
  return (
    !fresh.has(edge.from) &&
    (beforeEnd || !reachable(workflow, { mode: "resume", avoiding: role }).has(edge.from))
  );
};
