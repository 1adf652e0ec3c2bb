import { createPrivateKey } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { GitHubConfig } from "./config.ts";
import type { Environment } from "./environment.ts";
import { githubServer } from "./github-server.ts";
import { missingParts } from "./missing-parts.ts";

export type ReadFile = (path: string) => string | null;

type Files = { readFile: ReadFile; storageRoot: string };
/** Variables that are set but were refused: they are not missing as well. */
type Surroundings = Files & { bad: ReadonlySet<string> };
type Read<T> = { value: T; problems: string[] };

/** One part of the App's configuration: its variables, the preferred name first. */
const parts = {
  appId: ["GITHUB_APP_ID", "APP_ID"],
  key: ["GITHUB_APP_PRIVATE_KEY", "PRIVATE_KEY", "GITHUB_APP_PRIVATE_KEY_PATH", "PRIVATE_KEY_PATH"],
  webhookSecret: ["GITHUB_WEBHOOK_SECRET", "WEBHOOK_SECRET"],
} as const;

/** The GitHub App, or null when nothing of it is configured. A half-configured App is a problem that names the rest. */
export const githubConfig = (environment: Environment, around: Surroundings): Read<GitHubConfig | null> => {
  const appId = environment.GITHUB_APP_ID ?? environment.APP_ID;
  const webhookSecret = environment.GITHUB_WEBHOOK_SECRET ?? environment.WEBHOOK_SECRET;
  const key = privateKey(environment, around);
  const problems = [...missingParts(parts, environment, around.bad), ...key.problems];
  if (environment.GHE_PROTOCOL && !environment.GHE_HOST) {
    problems.push("GHE_HOST: missing, though GHE_PROTOCOL is set");
  }
  if (appId === undefined || key.value === null || webhookSecret === undefined)
    return { value: null, problems };
  return { value: { appId, privateKey: key.value, webhookSecret, ...githubServer(environment) }, problems };
};

const privateKey = (environment: Environment, { readFile, storageRoot }: Files): Read<string | null> => {
  for (const name of ["GITHUB_APP_PRIVATE_KEY", "PRIVATE_KEY"] as const) {
    const value = environment[name];
    if (value !== undefined) return pemOf(value, name);
  }
  for (const name of ["GITHUB_APP_PRIVATE_KEY_PATH", "PRIVATE_KEY_PATH"] as const) {
    const path = environment[name];
    if (path === undefined) continue;
    const file = isAbsolute(path) ? path : join(storageRoot, path);
    try {
      const content = readFile(file);
      return content === null
        ? { value: null, problems: [`${name}: there is no file ${file}`] }
        : pemOf(content, name);
    } catch (error) {
      return { value: null, problems: [`${name}: cannot read ${file}: ${messageOf(error)}`] };
    }
  }
  return { value: null, problems: [] };
};

/** The key as PEM, whatever form an environment variable squeezed it into. */
const pemOf = (value: string, name: string): Read<string | null> => {
  const decoded = value.includes("-----BEGIN") ? value : Buffer.from(value, "base64").toString("utf8");
  const pem = `${decoded.replaceAll("\\n", "\n").trim()}\n`;
  try {
    createPrivateKey(pem);
    return { value: pem, problems: [] };
  } catch {
    return {
      value: null,
      problems: [`${name}: is not a private key in PEM, nor one in base64`],
    };
  }
};
