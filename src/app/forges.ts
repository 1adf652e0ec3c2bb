import type { Logger } from "pino";
import { silentLog } from "../base/log.ts";
import type { Config, ForgejoConfig } from "../config/config.ts";
import type { GithubServer } from "../config/github-server.ts";
import type { Forges } from "../forge/forge.ts";
import { forgesByKind, noForge } from "../forge/forges-by-kind.ts";
import type { OpenedForges } from "../forge/hook.ts";
import type { SetupOptions } from "../server/setup/setup-pages.ts";

/** The forges of the configuration. Throws `forge-unconfigured` (fix-config) when there is none. */
export const openForges = async (
  { github, forgejo, secrets }: Pick<Config, "github" | "forgejo" | "secrets">,
  log: Logger,
): Promise<{ forges: Forges; opened: OpenedForges }> => {
  if (github === null && forgejo === null) throw noForge();
  const opened: { -readonly [Kind in keyof OpenedForges]: OpenedForges[Kind] } = {};
  if (github !== null)
    opened.github = (await import("../forge/github/open-github.ts")).openGithub({ ...github, log, secrets });
  if (forgejo !== null)
    opened.forgejo = (await import("../forge/forgejo/open-forgejo.ts")).openForgejo({ ...forgejo, log });
  const { redactedForges } = await import("../forge/redacted-forges.ts");
  return { forges: redactedForges(forgesByKind(opened), secrets.redact), opened };
};

/** Who the bot is on Forgejo. Throws as `Forge`. */
export const forgejoLogin = async ({ url, token }: ForgejoConfig): Promise<string> => {
  const { forgejoForges } = await import("../forge/forgejo/forgejo-forges.ts");
  return (await forgejoForges({ url, token, log: silentLog }).self()).login;
};

/** How an App is registered on this GitHub, for the page that sets the server up. */
export const openGithubSetup = async ({
  apiUrl,
  webUrl,
}: GithubServer): Promise<Pick<SetupOptions, "convert" | "manifestFor" | "webUrl">> => {
  const [{ appManifest, newAppUrl }, { convertManifest }] = await Promise.all([
    import("../forge/github/app-manifest.ts"),
    import("../forge/github/convert-manifest.ts"),
  ]);
  return {
    webUrl,
    convert: (code) => convertManifest(apiUrl, code),
    manifestFor: async (app) => ({ manifest: await appManifest(app), action: newAppUrl(webUrl, app) }),
  };
};
