/** What decides what runs with the repository's own rights, and what the bot may do: no change of a role may touch it. */
export const protectedByDefault: readonly string[] = [
  ".github/workflows/**",
  ".github/actions/**",
  ".github/uwf.yml",
  ".forgejo/workflows/**",
  ".forgejo/actions/**",
  ".forgejo/uwf.yml",
  ".gitea/workflows/**",
  ".gitea/actions/**",
  ".uwf/workflows/**",
  "**/CODEOWNERS",
  // Forges read it here too: a folder of that name may not become a link.
  "docs/CODEOWNERS",
];
