import type { Remote } from "../../workspace/workspace.ts";
import type { GithubApp } from "./github-app.ts";
import { ask } from "./github-errors.ts";
import type { TokenPlace } from "./installation-tokens.ts";

/**
 * Where git goes, with a token of its own: for this repository alone and for nothing but its contents. A new one
 * each time, good until it is given up, and for an hour at most.
 */
export const remoteOf = async (
  app: GithubApp,
  {
    repository,
    place,
    access,
    webUrl,
  }: {
    repository: string;
    place: TokenPlace;
    access: "read" | "write";
    webUrl: string;
  },
): Promise<Remote> => {
  const token = await ask(`make a token that may ${access} ${repository}`, () =>
    app.gitToken(place, access === "read" ? "fetch" : "push"),
  );
  return {
    url: `${webUrl}/${repository}.git`,
    token,
    giveUp: () => ask(`take back a token for ${repository}`, () => app.revoke(token)),
  };
};
