/** What decides what runs with the repository's own rights, and what the bot may do: no change of a role may touch it. */
export const protectedByDefault: readonly string[] = [
  ".github/workflows/**",
  ".github/actions/**",
  ".github/uwf.yml",
  ".forgejo/workflows/**",
  ".forgejo/uwf.yml",
  ".gitea/workflows/**",
  ".uwf/workflows/**",
  "**/CODEOWNERS",
];
