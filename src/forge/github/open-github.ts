import type { OpenedForge } from "../hook.ts";
import { type GithubAppOptions, githubApp } from "./github-app.ts";
import { parseGithubEvent } from "./github-events.ts";
import { githubForges } from "./github-forges.ts";

/** GitHub through the registered App. */
export const openGithub = ({ webUrl, ...options }: GithubAppOptions & { webUrl: string }): OpenedForge => {
  const app = githubApp(options);
  return {
    forges: githubForges({ app, webUrl, log: options.log }),
    hook: { verify: app.verify, read: (delivery) => parseGithubEvent(delivery, options) },
  };
};
