import type { RepositorySettings } from "../store/payload.ts";

/** A role's system prompt with what the repository says to every role, under a heading of its own. */
export const withInstructions = (
  prompt: string,
  settings: Pick<RepositorySettings, "instructions"> | undefined,
): string => {
  const instructions = settings?.instructions?.trim() ?? "";
  return instructions === ""
    ? prompt
    : `${prompt.trim()}\n\n# What this repository's maintainers ask of you\n\n${instructions}`;
};
