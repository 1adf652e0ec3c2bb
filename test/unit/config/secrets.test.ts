import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load-config.ts";
import { agentSecretsOf, knownSecrets, secretsOf } from "../../../src/config/secrets.ts";

const none = {
  apiKeys: {},
  github: null,
  forgejo: null,
  server: { host: "", port: 0, apiToken: null, metricsToken: null },
  databaseUrl: null,
  redisUrl: null,
};

describe("secretsOf", () => {
  it("names keys, tokens, and each line of the App's key", () => {
    const line = "MIIEowIBAAKCAQEAw0vZ";
    const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${line}\nAA==\n-----END RSA PRIVATE KEY-----\n`;

    const secrets = secretsOf({
      ...none,
      apiKeys: { openai: "sk-1", other: "sk-2" },
      github: { appId: 1, privateKey, webhookSecret: "hook", apiUrl: "", webUrl: "" },
      forgejo: { url: "", token: "token", webhookSecret: "other hook" },
      server: { ...none.server, apiToken: "api", metricsToken: "metrics" },
    });

    expect(secrets).toEqual([
      "sk-1",
      "sk-2",
      "hook",
      privateKey,
      line,
      "other hook",
      "token",
      "api",
      "metrics",
    ]);
  });

  it.each([
    ["postgres://u:p%40ss%2Fword@db/uwf", ["p%40ss%2Fword", "p@ss/word"]],
    ["postgres://db/uwf?user=u&password=p%40ss", ["p@ss", "p@ss"]],
    ["redis://:100%25@cache:6379", ["100%25", "100%"]],
    ["redis://:100%@cache:6379", ["100%", "100%"]],
    ["redis://cache:6379", []],
    ["not an address", []],
  ])("finds the password in %s", (address, secrets) => {
    expect(secretsOf({ ...none, databaseUrl: address })).toEqual(secrets);
    expect(secretsOf({ ...none, redisUrl: address })).toEqual(secrets);
  });

  it("finds nothing where nothing is configured", () => {
    expect(secretsOf(none)).toEqual([]);
  });
});

describe("agentSecretsOf", () => {
  it("names the values of the variables that programs are given", () => {
    const agents = {
      builtin: { adapter: "react" as const },
      mine: { command: "mine", env: ["A_KEY", "GONE"] },
    };

    expect(agentSecretsOf({ agents, variables: { A_KEY: "sk-1", PATH: "/bin" } })).toEqual(["sk-1"]);
  });
});

describe("knownSecrets", () => {
  const load = (variables: Record<string, string>, yaml = "") =>
    loadConfig({
      env: { UWF_STORAGE_ROOT: "/root", ...variables },
      readFile: (path) => (path === "/root/config.yaml" ? yaml : null),
    });

  it.each([
    ...[
      "GITHUB_TOKEN",
      "AWS_SECRET_ACCESS_KEY",
      "NPM_TOKEN",
      "DB_PASSWORD",
      "PGPASSWORD",
      "MYPASSWD",
      "SSH_PASSPHRASE",
    ],
    ...[
      "GOOGLE_CREDENTIALS",
      "OUR_CREDENTIAL",
      "MY_FILE_TOKEN",
      "MY_API_KEY",
      "MYAPP_APIKEY",
      "gitlab_pat",
      "SIGNING_PRIVATE_KEY",
      "SECRET",
    ],
  ])("has the value of %s, whatever that is for", (name) => {
    expect(knownSecrets(load({ [name]: "value-of-it" }))).toContain("value-of-it");
  });

  it.each([
    ...["SIGNING_PRIVATE_KEY_PATH", "TOKEN_FILE", "AWS_ACCESS_KEY_ID", "PATH", "PATTERN", "TOKENIZER"],
    ...["SECRETARY", "TOKEN_URL", "KEYBOARD", "SECRET_NAME"],
  ])("has not the value of %s, which is no secret", (name) => {
    expect(knownSecrets(load({ [name]: "/value-of-it" }))).toEqual([]);
  });

  it("has what agents and servers of tools are given, by whatever name", () => {
    const yaml = `
agents: { mine: { command: mine, env: [MINE] } }
mcpServers:
  one: { command: one, env: [ONE, GONE], roles: { solve-issue: ["*"] } }
  two: { url: "http://localhost/mcp", apiKeyEnv: TWO, roles: { solve-issue: ["*"] } }
`;

    expect(knownSecrets(load({ MINE: "mine-1", ONE: "one-1", TWO: "two-1", OTHER: "other" }, yaml))).toEqual([
      "mine-1",
      "one-1",
      "two-1",
    ]);
  });

  it("is what a configuration masks", () => {
    expect(load({ UWF_API_TOKEN: "the-operators-token" }).secrets.redact("is the-operators-token")).toBe(
      "is [redacted]",
    );
  });
});
