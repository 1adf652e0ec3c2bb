import { bugError } from "../../base/errors.ts";
import type { Author } from "../../workspace/workspace.ts";
import type { GithubApp, Octokit } from "./github-app.ts";
import { ask } from "./github-errors.ts";

/** The user as which the App writes. */
export type Bot = { login: string; id: number };

/** Finds out who the bot is, once; a failure is forgotten, so that the next call tries again. */
export const botIdentity = (app: GithubApp): ((octokit: Octokit) => Promise<Bot>) => {
  let known: Promise<Bot> | undefined;
  return (octokit) => {
    known ??= readBot(app, octokit).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
};

const readBot = async (app: GithubApp, octokit: Octokit): Promise<Bot> => {
  const asApp = await app.asApp();
  const { data } = await ask("read the App", () => asApp.rest.apps.getAuthenticated());
  const slug = data?.slug;
  if (slug === undefined) throw bugError("GitHub's answer about the App has no slug");
  const login = `${slug}[bot]`;
  const { data: user } = await ask(`read the user ${login}`, () =>
    octokit.rest.users.getByUsername({ username: login }),
  );
  return { login, id: user.id };
};

/** The address by which GitHub credits commits to a user without telling theirs. */
export const authorOf = ({ login, id }: Bot, { webUrl }: { webUrl: string }): Author => ({
  name: login,
  email: `${id}+${login}@${noreplyHost(webUrl)}`,
});

/** A GitHub Enterprise Server has its own; an address in digits has none. */
const noreplyHost = (webUrl: string): string => {
  const { hostname } = new URL(webUrl);
  const isNamed = /[a-z]/i.test(hostname) && !hostname.startsWith("[") && hostname !== "localhost";
  return `users.noreply.${isNamed ? hostname : "github.com"}`;
};
