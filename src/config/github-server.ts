import { parseEnv } from "node:util";
import { readEnvFile } from "./env-file.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { storageRootOf } from "./storage-root.ts";

/** Addresses without a slash at their end. */
export type GithubServer = { apiUrl: string; webUrl: string };

/** Which GitHub the environment names: github.com, or an Enterprise Server. */
export const githubServer = ({
  GHE_HOST: host,
  GHE_PROTOCOL: protocol = "https",
}: Pick<Environment, "GHE_HOST" | "GHE_PROTOCOL">): GithubServer =>
  host === undefined
    ? { apiUrl: "https://api.github.com", webUrl: "https://github.com" }
    : { apiUrl: `${protocol}://${host}/api/v3`, webUrl: `${protocol}://${host}` };

/** The same before an App is configured, of the environment or `.env`. What is bad there is `loadConfig`'s to say. */
export const githubServerHere = async (
  env: Readonly<Record<string, string | undefined>>,
): Promise<GithubServer> => {
  const file = parseEnv(await readEnvFile(storageRootOf(env)));
  const value = (name: "GHE_HOST" | "GHE_PROTOCOL") => env[name]?.trim() || file[name];
  const named = { GHE_HOST: value("GHE_HOST"), GHE_PROTOCOL: value("GHE_PROTOCOL") };
  return githubServer(readEnvironment(named).environment);
};
