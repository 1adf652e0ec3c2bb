import type { Config } from "./config.ts";

type Secretive = Pick<Config, "apiKeys" | "github" | "forgejo" | "server" | "databaseUrl" | "redisUrl">;

/** Shorter lines of a key are its frame, or its padding. */
const LINE_OF_KEY = 20;

/** Every value that must stay in this process: keys, tokens, and the passwords inside addresses. */
export const secretsOf = (config: Secretive): string[] => {
  const { apiKeys, github, forgejo, server, databaseUrl, redisUrl } = config;
  return [
    ...Object.values(apiKeys),
    ...(github === null ? [] : [github.webhookSecret, github.privateKey, ...linesOf(github.privateKey)]),
    ...(forgejo === null ? [] : [forgejo.webhookSecret, forgejo.token]),
    ...[server.apiToken, server.metricsToken].filter((token) => token !== null),
    ...passwordsOf(databaseUrl),
    ...passwordsOf(redisUrl),
  ];
};

/**
 * What nobody may see of all that this process knows: what the configuration takes for secret, what programs and servers of tools are
 * given, and whatever else has a name in the environment that says so.
 */
export const knownSecrets = (
  config: Secretive & Pick<Config, "agents" | "mcpServers" | "variables">,
): string[] => [
  ...secretsOf(config),
  ...agentSecretsOf(config),
  ...mcpSecretsOf(config),
  ...Object.entries(config.variables).flatMap(([name, value]) => (soundsSecret(name) ? [value] : [])),
];

const mcpSecretsOf = ({ mcpServers, variables }: Pick<Config, "mcpServers" | "variables">): string[] =>
  Object.values(mcpServers).flatMap(({ env, apiKeyEnv }) =>
    [...env, ...(apiKeyEnv === undefined ? [] : [apiKeyEnv])].flatMap((name) => variables[name] ?? []),
  );

/** `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`; not `GITHUB_APP_PRIVATE_KEY_PATH`, which tells where one is. */
const soundsSecret = (name: string): boolean => SECRET_NAME.test(name) && !NAME_OF_A_PLACE.test(name);

const SECRET_NAME =
  /(?:(?:^|_)(?:TOKEN|SECRET|CREDENTIALS?|API_?KEY|ACCESS_KEY|PRIVATE_KEY|PAT)|PASSWORD|PASSWD|PASSPHRASE)(?:$|_)/i;
const NAME_OF_A_PLACE = /_(?:PATH|FILE|ID|URL|NAME|DIR|ENV)$/i;

/** The values of the variables that programs are given by name. */
export const agentSecretsOf = ({ agents, variables }: Pick<Config, "agents" | "variables">): string[] =>
  Object.values(agents).flatMap(({ env = [] }) => env.flatMap((name) => variables[name] ?? []));

/** A part of a key betrays it as well. */
const linesOf = (pem: string): string[] =>
  pem.split("\n").filter((line) => line.length >= LINE_OF_KEY && !line.startsWith("-----"));

/** As it stands in the address, and as the server is told it. */
const passwordsOf = (address: string | null): string[] => {
  const url = address === null ? null : URL.parse(address);
  if (url === null) return [];
  const written = [url.password, url.searchParams.get("password") ?? ""].filter(
    (password) => password !== "",
  );
  return written.flatMap((password) => [password, decoded(password)]);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare % stands for itself.
    return text;
  }
};
