import type { OpenedForge } from "../hook.ts";
import { type GithubAppOptions, githubApp } from "./github-app.ts";
import { parseGithubEvent } from "./github-events.ts";
import { githubForges } from "./github-forges.ts";
import { githubLocate } from "./locate.ts";

/** GitHub through the registered App. */
export const openGithub = ({ webUrl, ...options }: GithubAppOptions & { webUrl: string }): OpenedForge => {
  const app = githubApp(options);
  return {
    forges: githubForges({ app, webUrl, log: options.log }),
    locate: githubLocate(app),
    hook: { verify: app.verify, read: (delivery) => parseGithubEvent(delivery, options) },
  };
};
