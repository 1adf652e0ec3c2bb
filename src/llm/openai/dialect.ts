/**
 * What a server understands of OpenAI's APIs. Compatible servers lag behind or differ: the first refusal that
 * names a parameter changes how the model is asked from then on.
 */
export type Dialect = {
  /** How the cap on a reply's tokens is called; null: it is not sent. */
  tokensField: "max_completion_tokens" | "max_tokens" | null;
  /** Whether a stream may be asked for its usage. */
  streamUsage: boolean;
  /** Whether one tool can be forced; else the choice is left to the model. */
  forcedTool: boolean;
  /** Whether reasoning is wanted back. */
  reasoningBack: boolean;
  /** Whether reasoning items may be asked for in encrypted form (responses API). */
  encryptedReasoning: boolean;
};

export const openaiDialect: Dialect = {
  tokensField: "max_completion_tokens",
  streamUsage: true,
  forcedTool: true,
  reasoningBack: true,
  encryptedReasoning: true,
};

/** The dialect to try after a 400 or 422 with this text, or null when the text names none of its features. */
export const easierDialect = (dialect: Dialect, refusal: string): Dialect | null => {
  const changes: [RegExp, keyof Dialect, Dialect][] = [
    [
      /max_completion_tokens|max_tokens|max_output_tokens/i,
      "tokensField",
      { ...dialect, tokensField: dialect.tokensField === "max_completion_tokens" ? "max_tokens" : null },
    ],
    [/stream_options|include_usage/i, "streamUsage", { ...dialect, streamUsage: false }],
    [/tool[_ ]choice/i, "forcedTool", { ...dialect, forcedTool: false }],
    [/reasoning_content|reasoning_details/i, "reasoningBack", { ...dialect, reasoningBack: false }],
    [/encrypted[_ ]content/i, "encryptedReasoning", { ...dialect, encryptedReasoning: false }],
  ];
  // A value out of bounds is the configuration's fault: leaving the parameter away would hide it.
  if (/too large|too small|at most|at least|less than|greater than|exceed/i.test(refusal)) return null;
  const change = changes.find(([names, field]) => names.test(refusal) && Boolean(dialect[field]));
  return change === undefined ? null : change[2];
};
