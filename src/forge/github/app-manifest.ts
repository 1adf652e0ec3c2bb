import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";

/** What somebody says about the App that is to be registered. */
export type NewApp = {
  /** null: the person's own account. */
  organisation: string | null;
  name: string;
  /** The address of this server as GitHub reaches it, without a slash at its end. */
  publicUrl: string;
  /** Where GitHub sends the person's browser afterwards. */
  redirectUrl: string;
};

/** `app.yml`: what the bot asks for. */
const AppFile = z.object({
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  default_events: z.array(z.string()),
});

const path = new URL("../../../app.yml", import.meta.url);

/**
 * The manifest with which GitHub registers the App, see
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters
 */
export const appManifest = async ({ name, publicUrl, redirectUrl }: Omit<NewApp, "organisation">) => ({
  ...AppFile.parse(parse(await readFile(path, "utf8"))),
  name,
  url: publicUrl,
  hook_attributes: { url: `${publicUrl}/api/github/webhooks`, active: true },
  redirect_url: redirectUrl,
});

/** The page of GitHub that takes the manifest, as a form's field `manifest`. */
export const newAppUrl = (
  webUrl: string,
  { organisation, state }: { organisation: string | null; state: string },
): string => {
  const owner = organisation === null ? "" : `/organizations/${encodeURIComponent(organisation)}`;
  return `${webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`;
};
