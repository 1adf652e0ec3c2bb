import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { storageRootOf } from "../../../src/config/storage-root.ts";

type Files = { yaml?: string; dotEnv?: string; more?: Record<string, string> };

const load = (env: Record<string, string> = {}, { yaml, dotEnv, more = {} }: Files = {}) => {
  const files: Record<string, string | undefined> = {
    "/root/config.yaml": yaml,
    "/root/.env": dotEnv,
    ...more,
  };
  return loadConfig({ env: { UWF_STORAGE_ROOT: "/root", ...env }, readFile: (path) => files[path] ?? null });
};

/** The lines of the error that loading throws. */
const problems = (env: Record<string, string> = {}, files: Files = {}): string[] => {
  try {
    load(env, files);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error).toMatchObject({ code: "config-invalid", remedy: "fix-config" });
    return error.message.split("\n");
  }
  return [];
};

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});

describe("without any configuration", () => {
  it("has the defaults, no model and no GitHub App", () => {
    expect(load()).toMatchObject({
      storageRoot: "/root",
      server: { host: "127.0.0.1", port: 3000, apiToken: null, metricsToken: null },
      logLevel: "info",
      providers: {},
      models: {},
      agents: { builtin: { adapter: "react" } },
      limits: { maxDepth: 3, pauseAfterRounds: 40, budgetUsd: 5 },
      sandbox: { kind: "bubblewrap" },
      apiKeys: {},
      github: null,
      forgejo: null,
    });
  });

  it.each([
    [{ HOME: "/home/u" }, "/home/u/.uwf"],
    [{ HOME: "/home/u", UWF_STORAGE_ROOT: "~/data" }, "/home/u/data"],
    [{ HOME: "/home/u", UWF_STORAGE_ROOT: "/srv/uwf/" }, "/srv/uwf"],
    [{ HOME: "/home/u", UWF_STORAGE_ROOT: " " }, "/home/u/.uwf"],
  ])("keeps everything, with %o, in %s", (env, root) => {
    expect(storageRootOf(env)).toBe(root);
  });
});

describe("a model from the environment alone", () => {
  it("is the default one", () => {
    const config = load({ OPENAI_API_KEY: "k", OPENAI_MODEL: "m", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });

    expect(config.providers.openai).toMatchObject({
      baseUrl: "http://127.0.0.1:1/v1",
      apiKeyEnv: "OPENAI_API_KEY",
    });
    expect(config.models.default).toMatchObject({ provider: "openai", name: "m" });
    expect(config.apiKeys).toEqual({ openai: "k" });
  });

  it("yields to the file's", () => {
    const yaml =
      "providers: { own: { baseUrl: https://a/v1, apiKeyEnv: OWN } }\nmodels: { default: { provider: own, name: x } }";

    const config = load({ OPENAI_API_KEY: "k", OPENAI_MODEL: "m", OWN: "o" }, { yaml });

    expect(Object.keys(config.providers)).toEqual(["own"]);
    expect(config.apiKeys).toEqual({ own: "o" });
  });

  it("comes along with a file that only sets limits", () => {
    const config = load(
      { OPENAI_API_KEY: "k", OPENAI_MODEL: "m" },
      { yaml: "limits: { budgetUsd: null }\nagents:\n" },
    );

    expect(config.limits.budgetUsd).toBeNull();
    expect(config.models.default?.name).toBe("m");
  });
});

describe(".env", () => {
  it("is read, and yields to the real environment", () => {
    const dotEnv = 'OPENAI_API_KEY="from file"\nPORT=4000 # comment\nHOST=0.0.0.0\n';

    const config = load({ OPENAI_API_KEY: "real", OPENAI_MODEL: "m", HOST: "" }, { dotEnv });

    expect(config.apiKeys).toEqual({ openai: "real" });
    expect(config.server).toMatchObject({ host: "0.0.0.0", port: 4000 });
  });
});

describe("bad variables", () => {
  it.each<[Record<string, string>, string]>([
    [{ PORT: "70000" }, 'PORT: must be a port from 0 to 65535, not "70000"'],
    [{ PORT: "3000x" }, 'PORT: must be a port from 0 to 65535, not "3000x"'],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL: must be trace, debug, info, warn, error or silent, not "loud"'],
    [
      { OPENAI_BASE_URL: "ftp://a" },
      "OPENAI_BASE_URL: must be an http or https address, up to and including /v1",
    ],
    [{ OPENAI_API_KEY: "a b" }, "OPENAI_API_KEY: holds spaces or characters that no HTTP header can carry"],
    [
      { UWF_API_TOKEN: "x".repeat(15) },
      "UWF_API_TOKEN: must have at least 16 characters; `openssl rand -hex 32` makes one",
    ],
    [
      { DATABASE_URL: "mysql://u:p@h/d" },
      "DATABASE_URL: must be postgres://user:password@host:port/database",
    ],
    [{ REDIS_URL: "http://h" }, "REDIS_URL: must be redis://host:port, or rediss:// for TLS"],
    [{ GHE_PROTOCOL: "http" }, "GHE_HOST: missing, though GHE_PROTOCOL is set"],
  ])("%o", (env, line) => {
    expect(problems(env)).toEqual([line]);
  });

  it("are all told at once", () => {
    expect(problems({ PORT: "x", LOG_LEVEL: "y" }, { yaml: "limit: 3" })).toHaveLength(3);
  });
});

describe("the GitHub App", () => {
  const app = { GITHUB_APP_ID: "12", GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_WEBHOOK_SECRET: "s" };

  it.each<[string, Record<string, string>]>([
    ["PEM", { PRIVATE_KEY: privateKey }],
    ["PEM with \\n", { PRIVATE_KEY: privateKey.replaceAll("\n", "\\n") }],
    ["base64", { PRIVATE_KEY: Buffer.from(privateKey).toString("base64") }],
    ["a file", { PRIVATE_KEY_PATH: "/keys/app.pem" }],
    ["a file in the storage root", { GITHUB_APP_PRIVATE_KEY_PATH: "app.pem" }],
  ])("takes its key as %s", (_, key) => {
    const more = { "/keys/app.pem": privateKey, "/root/app.pem": privateKey };

    const { github } = load({ APP_ID: "12", WEBHOOK_SECRET: "s", ...key }, { more });

    expect(github).toEqual({
      appId: 12,
      privateKey,
      webhookSecret: "s",
      apiUrl: "https://api.github.com",
      webUrl: "https://github.com",
    });
  });

  it("lives on an Enterprise Server where one is named", () => {
    expect(load({ ...app, GHE_HOST: "127.0.0.1:8080", GHE_PROTOCOL: "http" }).github).toMatchObject({
      apiUrl: "http://127.0.0.1:8080/api/v3",
      webUrl: "http://127.0.0.1:8080",
    });
  });

  it("names what is missing, by the names that were used", () => {
    expect(problems({ APP_ID: "12", GITHUB_APP_PRIVATE_KEY: privateKey })).toEqual([
      "GITHUB_WEBHOOK_SECRET: missing, though APP_ID and GITHUB_APP_PRIVATE_KEY are set",
    ]);
  });

  it.each<[Record<string, string>, string]>([
    [
      { ...app, GITHUB_APP_ID: "twelve" },
      'GITHUB_APP_ID: must be the App\'s number, as its settings page shows it, not "twelve"',
    ],
    [
      { ...app, GITHUB_APP_PRIVATE_KEY: "nonsense" },
      "GITHUB_APP_PRIVATE_KEY: is not a private key in PEM, nor one in base64",
    ],
    [
      { APP_ID: "1", WEBHOOK_SECRET: "s", PRIVATE_KEY_PATH: "/gone" },
      "PRIVATE_KEY_PATH: there is no file /gone",
    ],
    [
      { ...app, GHE_HOST: "https://ghe.example/" },
      'GHE_HOST: must be a host name, with a port where there is one, and nothing else, not "https://ghe.example/"',
    ],
  ])("refuses what is bad in it, once, without showing secrets", (env, line) => {
    expect(problems(env)).toEqual([line]);
  });
});

describe("config.yaml", () => {
  it.each<[string, string, string[]]>([
    [
      "a value out of bounds",
      "limits:\n  maxDepth: 3\n  budgetUsd: -1",
      ["config.yaml:3:14: limits.budgetUsd: must be more than 0"],
    ],
    [
      "a value of the wrong kind",
      "limits: { maxDepth: many }",
      ["config.yaml:1:21: limits.maxDepth: must be a number"],
    ],
    [
      "an unknown field",
      "limits:\n  budgetUSD: 3",
      ['config.yaml:2:3: limits.budgetUSD: unknown field; did you mean "budgetUsd"?'],
    ],
    ["an unknown section", "modles: {}", ['config.yaml:1:1: modles: unknown field; did you mean "models"?']],
    [
      "a key in place of its variable",
      "providers: { a: { baseUrl: https://a/v1, apiKeyEnv: sk-123 } }",
      [
        "config.yaml:1:53: providers.a.apiKeyEnv: must be the name of an environment variable, not the key itself",
      ],
    ],
    [
      "a provider that is not there",
      "providers: { openai: { baseUrl: https://a/v1 } }\nmodels: { default: { provider: opnai, name: x } }",
      ['config.yaml:2:32: models.default.provider: there is no provider "opnai"; did you mean "openai"?'],
    ],
    [
      "a default model that is not there",
      "providers: { p: { baseUrl: https://a/v1 } }\nmodels: { big: { provider: p, name: x } }\ndefaultModel: huge",
      ['config.yaml:3:15: defaultModel: there is no model "huge"; configured: big'],
    ],
    [
      "an agent that is not there",
      "agentOverrides: { s: { dev: claude } }",
      ['config.yaml:1:29: agentOverrides.s.dev: there is no agent "claude"; configured: builtin'],
    ],
    ["a list", "- a", ["config.yaml:1:1: (the whole): must be an object"]],
  ])("with %s", (_, yaml, lines) => {
    expect(problems({}, { yaml })).toEqual(lines);
  });

  it("with broken YAML says where", () => {
    expect(problems({}, { yaml: "limits:\n  a: [1" })[0]).toMatch(/^config\.yaml:2:\d+: /);
  });

  it("with an alias bomb is refused, not expanded", () => {
    const yaml = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefgh".split("").map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[i]}`)}]`),
    ].join("\n");

    expect(problems({}, { yaml })).toEqual([expect.stringMatching(/^config\.yaml:1:1: .*alias/i)]);
  });

  it("that cannot be read is named", () => {
    const readFile = (path: string): string | null => {
      if (path.endsWith("config.yaml")) throw new Error("EACCES: permission denied");
      return null;
    };

    expect(() => loadConfig({ env: { UWF_STORAGE_ROOT: "/root" }, readFile })).toThrow(
      "cannot read /root/config.yaml",
    );
  });
});

describe("a Forgejo server", () => {
  const forgejo = {
    FORGEJO_URL: "https://git.example.com/code/",
    FORGEJO_TOKEN: "0123abcd",
    FORGEJO_WEBHOOK_SECRET: "hush",
  };

  it("is its address, the bot's token and the secret of its webhooks", () => {
    expect(load(forgejo).forgejo).toEqual({
      url: "https://git.example.com/code",
      token: "0123abcd",
      webhookSecret: "hush",
    });
  });

  it("names what is missing; an empty secret is none", () => {
    expect(problems({ ...forgejo, FORGEJO_WEBHOOK_SECRET: " ", FORGEJO_TOKEN: "" })).toEqual([
      "FORGEJO_TOKEN: missing, though FORGEJO_URL is set",
      "FORGEJO_WEBHOOK_SECRET: missing, though FORGEJO_URL is set",
    ]);
  });

  it.each([
    ["git.example.com", "must be the server's http or https address"],
    ["https://u:p@f", "must be the server's address alone: without a password, ? or #"],
    ["https://f/?a=b", "must be the server's address alone: without a password, ? or #"],
  ])("is not at %s", (url, problem) => {
    expect(problems({ ...forgejo, FORGEJO_URL: url })).toEqual([`FORGEJO_URL: ${problem}`]);
  });

  it("calls a refused variable bad, and not missing as well", () => {
    expect(problems({ ...forgejo, FORGEJO_TOKEN: "a b" })).toEqual([
      "FORGEJO_TOKEN: holds spaces or characters that no HTTP header can carry",
    ]);
  });
});
