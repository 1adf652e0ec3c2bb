import { z } from "zod";
import type { History } from "../store/store.ts";

const Report = z.object({ verification: z.array(z.object({ result: z.string() })).min(1) });

/** True when the last role that reports checks (`verification`) reports that every one of them passed. */
export const checksPassed = ({ steps }: Pick<History, "steps">): boolean => {
  for (const { output } of [...steps].reverse()) {
    const report = Report.safeParse(output);
    if (report.success) return report.data.verification.every(({ result }) => result === "passed");
  }
  return false;
};
