/** Where a repository has workflows of its own. */
export const OWN_WORKFLOWS = ".uwf/workflows/**";

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
  OWN_WORKFLOWS,
  // Other systems that run what a pushed branch says, with what the repository keeps there.
  ".woodpecker/**",
  "/.woodpecker.{yml,yaml}",
  "/.drone.yml",
  ".circleci/**",
  "/.gitlab-ci.yml",
  "/.travis.yml",
  "/.cirrus.yml",
  "/{.,}appveyor.yml",
  ".buildkite/**",
  ".semaphore/**",
  "/azure-pipelines.yml",
  "/Jenkinsfile",
  "**/CODEOWNERS",
  // Forges read it here too: a folder of that name may not become a link.
  "docs/CODEOWNERS",
];
