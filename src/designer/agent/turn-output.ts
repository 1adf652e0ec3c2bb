import { z } from "zod";
import { isHash } from "../../base/ids.ts";

const hash = z.string().refine(isHash);

/** What the role answers that talks, at the end of a turn: see `workflows/design.yaml`. */
export const TurnOutput = z.object({
  status: z.enum(["asked", "failed", "completed"]),
  summary: z.string(),
  /** The `text` nodes of the conversation as it stands, and of what the person is told. */
  conversation: hash,
  said: hash,
  /** With `completed`: where the file belongs, and its `text` node. */
  path: z.string().optional(),
  content: hash.optional(),
  verification: z.array(z.object({ command: z.string(), result: z.enum(["passed", "failed"]) })).optional(),
});
export type TurnOutput = z.output<typeof TurnOutput>;

/** null: the output is something else. */
export const turnOf = (output: unknown): TurnOutput | null => TurnOutput.safeParse(output).data ?? null;
