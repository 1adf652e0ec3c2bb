import type { Config } from "../config/config.ts";
import type { Context } from "./context.ts";

/**
 * Serves the page that registers a GitHub App until that is done; its key is in `.env` then. False when it was interrupted.
 * Throws `cannot-listen` (fix-config).
 */
export const serveSetup = async (
  context: Context,
  config: Pick<Config, "server" | "storageRoot" | "logLevel">,
): Promise<boolean> => {
  const [
    forges,
    { githubServerHere },
    { addToEnvFile, checkEnvFile },
    { serverLog },
    redact,
    setup,
    sessions,
    server,
  ] = await Promise.all([
    import("../app/forges.ts"),
    import("../config/github-server.ts"),
    import("../config/env-file.ts"),
    import("./server-log.ts"),
    import("../base/redact.ts"),
    import("../server/setup/setup-server.ts"),
    import("../server/setup/session.ts"),
    import("../server/server.ts"),
  ]);
  const root = config.storageRoot;
  const token = sessions.secret();
  const ended = Promise.withResolvers<boolean>();
  // What stands on the screen is text: that a server listens is said there.
  const level = config.logLevel === "info" ? "warn" : config.logLevel;
  const log = serverLog({ level, secrets: redact.secretKeeper([token]) });
  const http = await setup.createSetupServer(log, {
    ...(await forges.openGithubSetup(await githubServerHere(context.env))),
    session: sessions.setupSession(token, { now: context.now }),
    checkKept: () => checkEnvFile(root),
    keep: async ({ id, privateKey, webhookSecret }) => {
      const key = { GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_WEBHOOK_SECRET: webhookSecret };
      await addToEnvFile(root, { GITHUB_APP_ID: String(id), ...key });
    },
    onDone: () => ended.resolve(true),
  });
  const url = await server.listen(http, config.server);
  const interrupted = context.interruption(() => ended.resolve(false));
  if (interrupted.aborted) ended.resolve(false);
  context.stdout.write(`To set up GitHub, open\n\n  ${url}/setup?token=${token}\n\n`);
  try {
    return await ended.promise;
  } finally {
    await http.close();
  }
};
