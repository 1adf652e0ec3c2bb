import { describe, expect, it } from "vitest";
import { agentSecretsOf, secretsOf } from "../../../src/config/secrets.ts";

const none = {
  apiKeys: {},
  github: null,
  forgejo: null,
  server: { host: "", port: 0, apiToken: null },
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
      server: { ...none.server, apiToken: "api" },
    });

    expect(secrets).toEqual(["sk-1", "sk-2", "hook", privateKey, line, "other hook", "token", "api"]);
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
