import { z } from "zod";
import { inputError } from "../../base/errors.ts";
import type { Publication } from "../../thread/publisher.ts";

const text = z.string().trim().min(1);

/** What a role answers that publishes a pull request, or more work on one. */
export const Submission = z.object({
  title: text,
  body: z.string(),
  /** To conversations in the reviews of the pull request that is worked on. */
  answers: z.array(z.object({ conversation: z.string(), text })).default([]),
});
export type Submission = z.output<typeof Submission>;

/** What a role answers that publishes a review. */
export const ReviewSubmission = z.object({
  body: text,
  comments: z.array(z.object({ path: text, line: z.int().positive(), text })).default([]),
});
export type ReviewSubmission = z.output<typeof ReviewSubmission>;

/** Throws `publish-output-invalid` (fix-input), which says what the output lacks. */
export const submissionOf = <T>(
  { output, step }: Pick<Publication, "output" | "step">,
  { schema, needs }: { schema: z.ZodType<T>; needs: string },
): T => {
  const read = schema.safeParse(output);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw inputError(
    "publish-output-invalid",
    `${step.role} publishes, so its output needs ${needs} (${problems.join("; ")}).`,
    "Let the role's schema require it.",
  );
};
