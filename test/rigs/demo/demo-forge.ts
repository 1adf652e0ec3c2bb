import type { ForgeKind } from "../../../src/forge/events.ts";
import { type ForgejoRig, forgejoRig } from "../forgejo.ts";
import { type GithubRig, githubRig } from "../github.ts";

/** What the demo needs of a forge. */
export type DemoForge = Pick<
  GithubRig & ForgejoRig,
  "webUrl" | "bare" | "openIssue" | "label" | "comments" | "sendWebhooksTo" | "close"
> & {
  name: string;
  env: Readonly<Record<string, string>>;
  /** Where the bot takes this forge's webhooks. */
  hookPath: string;
  pullRequests(repository: string): Promise<readonly DemoPullRequest[]>;
};

type DemoPullRequest = {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  author: string;
  head: { branch: string; commit: string };
  base: string;
};

/** The forge with one repository, whose files are those below `from`, and one person who may write there. */
export const demoForge = async (
  kind: ForgeKind,
  { repository: fullName, from, maintainer }: { repository: string; from: string; maintainer: string },
): Promise<DemoForge> => {
  const repositories = [{ fullName, from }];
  const users = [{ login: maintainer, permission: "write" as const }];
  const hookPath = `/api/${kind}/webhooks`;
  return kind === "github"
    ? { ...(await githubRig({ repositories, users })), name: "GitHub", hookPath }
    : { ...(await forgejoRig({ repositories, users })), name: "Forgejo", hookPath };
};
