import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { AppError, configError, messageOf } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { secretKeeper } from "../base/redact.ts";
import { type Config, ConfigFile } from "./config.ts";
import { parseConfigFile } from "./config-file.ts";
import { withDefaultProvider } from "./default-provider.ts";
import { readEnvironment } from "./environment.ts";
import { forgejoConfig } from "./forgejo-config.ts";
import { githubConfig, type ReadFile } from "./github-config.ts";
import { knownSecrets } from "./secrets.ts";
import { storageRootOf } from "./storage-root.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type LoadConfigOptions = {
  /** The process's environment. */
  env: Env;
  /** Reads a text file; null when there is none. */
  readFile?: ReadFile;
};

/**
 * Everything that environment, `.env` and `config.yaml` say. Throws `config-invalid` (fix-config), whose message has a
 * line for each problem, naming the variable, or the file with line and column.
 */
export const loadConfig = ({ env, readFile = readTextFile }: LoadConfigOptions): Config => {
  const storageRoot = storageRootOf(env);
  const all = { ...dotEnv(storageRoot, readFile), ...setIn(env) };
  const { environment, bad, problems } = readEnvironment(all);

  const path = join(storageRoot, "config.yaml");
  const text = read(path, readFile);
  const parsed = text === null ? null : parseConfigFile(text);
  problems.push(...(parsed?.problems ?? []));
  const file = withDefaultProvider(parsed?.file ?? ConfigFile.parse({}), environment);
  const keys = apiKeys(file, all);
  const github = githubConfig(environment, { readFile, storageRoot, bad });
  const forgejo = forgejoConfig(environment, { bad });
  problems.push(...keys.problems, ...github.problems, ...forgejo.problems);

  if (problems.length > 0) throw invalid([...new Set(problems)], parsed?.problems.length ? path : null);
  const config = {
    ...file,
    storageRoot,
    logLevel: environment.LOG_LEVEL,
    server: {
      host: environment.HOST,
      port: environment.PORT,
      apiToken: environment.UWF_API_TOKEN ?? null,
      metricsToken: environment.UWF_METRICS_TOKEN ?? null,
    },
    apiKeys: keys.value,
    variables: all,
    github: github.value,
    forgejo: forgejo.value,
    databaseUrl: environment.DATABASE_URL ?? null,
    redisUrl: environment.REDIS_URL ?? null,
  };
  return { ...config, secrets: secretKeeper(knownSecrets(config)) };
};

/** `DATABASE_URL`, of the environment or `.env`. Throws `config-invalid` (fix-config) when it is none. */
export const databaseUrlOf = (env: Env): string | null => {
  const { DATABASE_URL } = { ...dotEnv(storageRootOf(env), readTextFile), ...setIn(env) };
  const { environment, problems } = readEnvironment({ DATABASE_URL });
  if (problems.length > 0) throw invalid(problems, null);
  return environment.DATABASE_URL ?? null;
};

const apiKeys = (file: ConfigFile, env: Env): { value: Record<string, string>; problems: string[] } => {
  const value: Record<string, string> = {};
  const problems: string[] = [];
  for (const [alias, { apiKeyEnv }] of Object.entries(file.providers)) {
    const key = apiKeyEnv === null ? undefined : env[apiKeyEnv]?.trim();
    if (!key || apiKeyEnv === null) continue;
    if (/^[\x21-\x7e]+$/.test(key)) value[alias] = key;
    else problems.push(`${apiKeyEnv}: holds spaces or characters that no HTTP header can carry`);
  }
  return { value, problems };
};

const setIn = (env: Env): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])));

const dotEnv = (storageRoot: string, readFile: ReadFile): Record<string, string> => {
  const text = read(join(storageRoot, ".env"), readFile);
  return text === null ? {} : setIn(parseEnv(text));
};

const read = (path: string, readFile: ReadFile): string | null => {
  try {
    return readFile(path);
  } catch (error) {
    throw new AppError(`cannot read ${path}: ${messageOf(error)}`, {
      code: "config-invalid",
      remedy: "fix-config",
      hint: "Make the file readable for the user who runs uwf, or remove it.",
      cause: error,
    });
  }
};

const readTextFile: ReadFile = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isObject(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
};

const invalid = (problems: readonly string[], path: string | null): AppError =>
  configError("config-invalid", problems.join("\n"), path === null ? undefined : `The file is ${path}.`);
