import { z } from "zod";

const text = z.string().trim().min(1);
const url = (protocols: RegExp, error: string) => text.pipe(z.url({ protocol: protocols, error }));
/** What a header can carry: anything else in a key is a slip of the clipboard. */
const token = text.regex(/^[\x21-\x7e]+$/, "holds spaces or characters that no HTTP header can carry");
const number = (least: number, most: number, error: string) =>
  text
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.int().min(least, error).max(most, error));
/** Without a slash at the end. */
const serverAddress = url(/^https?$/, "must be the server's http or https address").transform(
  (address, context) => {
    const { username, password, search, hash, origin, pathname } = new URL(address);
    if (username || password || search || hash)
      context.addIssue("must be the server's address alone: without a password, ? or #");
    return `${origin}${pathname}`.replace(/\/+$/, "");
  },
);
const appId = number(1, Number.MAX_SAFE_INTEGER, "must be the App's number, as its settings page shows it");

const longToken = token.min(16, "must have at least 16 characters; `openssl rand -hex 32` makes one");

const HOST_NAME = /^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/;
const privateKey = "The App's private key: PEM, PEM with \\n for line ends, or either in base64.";

/** Every environment variable that is read, beside the keys that `config.yaml` names. Empty ones count as not set. */
export const Environment = z.object({
  UWF_STORAGE_ROOT: text
    .optional()
    .describe("The directory of database, mirrors, workspaces, config.yaml and .env. Default: ~/.uwf"),
  OPENAI_API_KEY: token.optional().describe("The key of the default provider."),
  OPENAI_BASE_URL: url(/^https?$/, "must be an http or https address, up to and including /v1")
    .optional()
    .describe("The default provider's address. Default: https://api.openai.com/v1"),
  OPENAI_MODEL: text
    .optional()
    .describe("The default model's name with its provider; needed to run a model."),
  GITHUB_APP_ID: appId.optional().describe("The GitHub App's number."),
  APP_ID: appId.optional().describe("Another name for GITHUB_APP_ID."),
  GITHUB_APP_PRIVATE_KEY: text.optional().describe(privateKey),
  PRIVATE_KEY: text.optional().describe("Another name for GITHUB_APP_PRIVATE_KEY."),
  GITHUB_APP_PRIVATE_KEY_PATH: text.optional().describe("A file that holds the App's private key."),
  PRIVATE_KEY_PATH: text.optional().describe("Another name for GITHUB_APP_PRIVATE_KEY_PATH."),
  GITHUB_WEBHOOK_SECRET: text.optional().describe("The secret that webhooks are signed with."),
  WEBHOOK_SECRET: text.optional().describe("Another name for GITHUB_WEBHOOK_SECRET."),
  GHE_HOST: text
    .regex(HOST_NAME, "must be a host name, with a port where there is one, and nothing else")
    .optional()
    .describe("The host of a GitHub Enterprise Server, instead of github.com."),
  GHE_PROTOCOL: z
    .enum(["http", "https"], "must be http or https")
    .optional()
    .describe("How to reach that host. Default: https"),
  FORGEJO_URL: serverAddress.optional().describe("The address of a Forgejo server, as people open it."),
  FORGEJO_TOKEN: token.optional().describe("The token of the bot's Forgejo account."),
  FORGEJO_WEBHOOK_SECRET: text.optional().describe("The secret that Forgejo's webhooks are signed with."),
  DATABASE_URL: url(/^postgres(ql)?$/, "must be postgres://user:password@host:port/database")
    .optional()
    .describe("A PostgreSQL database (15 or newer), instead of the embedded store."),
  REDIS_URL: url(/^rediss?$/, "must be redis://host:port, or rediss:// for TLS")
    .optional()
    .describe("A Redis server for the queue, instead of the embedded one."),
  HOST: text.default("127.0.0.1").describe("The address to listen on. Default: 127.0.0.1"),
  PORT: number(0, 65_535, "must be a port from 0 to 65535")
    .default(3000)
    .describe("The port to listen on; 0 takes a free one. Default: 3000"),
  UWF_API_TOKEN: longToken
    .optional()
    .describe(
      "The operator's token, of at least 16 characters, that /queues, the designer and /metrics ask for; without it, there is no dashboard and no designer.",
    ),
  UWF_METRICS_TOKEN: longToken
    .optional()
    .describe(
      "A token, of at least 16 characters, that opens /metrics and nothing else; without it and UWF_API_TOKEN, metrics are for this machine alone.",
    ),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "silent"],
      "must be trace, debug, info, warn, error or silent",
    )
    .default("info")
    .describe("How much is logged. Default: info"),
});
export type Environment = z.output<typeof Environment>;

/** Values that a message may show. */
const SHOWN = new Set(["PORT", "LOG_LEVEL", "GHE_HOST", "GHE_PROTOCOL", "GITHUB_APP_ID", "APP_ID"]);

/** The variables as strings, checked; the problems name each bad one, without its value where that is a secret. */
export const readEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): { environment: Environment; bad: ReadonlySet<string>; problems: string[] } => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(set);
  if (parsed.success) return { environment: parsed.data, bad: new Set(), problems: [] };
  const bad = new Map(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]));
  const problems = [...bad].map(([name, message]) => {
    const value = SHOWN.has(name) ? `, not ${JSON.stringify(set[name])}` : "";
    return `${name}: ${message}${value}`;
  });
  const rest = Object.fromEntries(Object.entries(set).filter(([name]) => !bad.has(name)));
  return { environment: Environment.parse(rest), bad: new Set(bad.keys()), problems };
};
