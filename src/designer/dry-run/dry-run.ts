import { z } from "zod";

/** How one edge fared. */
export const EdgeResult = z.object({
  /** Its place in the table. */
  edge: z.int().nonnegative(),
  from: z.string(),
  to: z.string(),
  when: z.string().nullable(),
  ok: z.boolean(),
  /** What is wrong with it; null: it was taken and its prompt could be made. */
  finding: z.string().nullable(),
});
export type EdgeResult = z.output<typeof EdgeResult>;

/** What the checks found in a file. */
export const DryRun = z.object({
  ok: z.boolean(),
  /** `file:line:column: problem`, one each: why it did not load, or what it uses that is not installed. */
  problems: z.array(z.string()),
  /** Empty when the file did not load. */
  edges: z.array(EdgeResult),
  end_reached: z.boolean(),
});
export type DryRun = z.output<typeof DryRun>;
