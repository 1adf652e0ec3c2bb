import { z } from "zod";

/** What the designer tells a person in one turn of a conversation: all texts are a model's, or a person's. */
export const DesignTurn = z.object({
  language: z.enum(["en", "zh"]),
  /** Markdown, in the order in which it was said. */
  said: z.array(z.string()),
  /** What went wrong, where the turn ended with that. */
  failed: z.string().nullable(),
  questions: z.array(z.object({ question: z.string(), options: z.array(z.string()) })),
  /** Ways to do it, of which the person chooses one. */
  alternatives: z.array(
    z.object({
      title: z.string(),
      description: z.string(),
      approach: z.string(),
      tradeOffs: z.array(z.string()),
      complexity: z.enum(["simple", "medium", "complex"]),
    }),
  ),
  /** The file, where this turn has written one. */
  draft: z
    .object({
      name: z.string(),
      source: z.string(),
      /** A Mermaid flowchart of uwf's own; null: the file does not load. */
      graph: z.string().nullable(),
      /** What its checks have found. */
      findings: z.array(z.string()),
    })
    .nullable(),
});
export type DesignTurn = z.output<typeof DesignTurn>;
