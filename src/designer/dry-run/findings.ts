import type { DryRun } from "./dry-run.ts";

/** What the checks found, a line each. */
export const findingsOf = ({ ok, problems, edges, end_reached }: DryRun): string[] => {
  if (ok) return [];
  const faulty = edges.flatMap(({ edge, from, to, finding }) =>
    finding === null ? [] : [`edge ${edge + 1}, from ${from} to ${to}: ${finding}`],
  );
  const lost = edges.length > 0 && !end_reached ? ["no way that the dry run took led to $END"] : [];
  return [...problems, ...faulty, ...lost];
};
