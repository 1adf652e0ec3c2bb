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
    ...(server.apiToken === null ? [] : [server.apiToken]),
    ...passwordsOf(databaseUrl),
    ...passwordsOf(redisUrl),
  ];
};

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
