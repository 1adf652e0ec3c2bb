import { protectedByDefault } from "../config/protected-paths.ts";
import type { RepositorySettings } from "../store/payload.ts";

/**
 * A role's system prompt with what the repository says to every role, under headings of their own: its maintainers' words, and
 * the paths whose change would keep all of the work from being published.
 */
export const withInstructions = (
  prompt: string,
  settings: Pick<RepositorySettings, "instructions" | "protectedPaths"> | undefined,
): string => {
  if (settings === undefined) return prompt;
  const instructions = settings.instructions?.trim() ?? "";
  const globs = [...new Set([...protectedByDefault, ...settings.protectedPaths])];
  return [
    prompt.trim(),
    ...(instructions === "" ? [] : ["# What this repository's maintainers ask of you", instructions]),
    "# Paths that no change may touch",
    "Work that differs in one of these is not published, none of it. Say what a person should change there instead.",
    globs.map((glob) => `- ${glob}`).join("\n"),
  ].join("\n\n");
};
