import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { type UwfChild, uwfChild } from "../fixtures/uwf-child.ts";
import { demoIssue, demoRepository, demoScript } from "../rigs/demo-script.ts";
import { type ForgejoRig, forgejoRig } from "../rigs/forgejo.ts";
import { type GithubRig, githubRig } from "../rigs/github.ts";
import type { ModelScript } from "../rigs/model-script.ts";
import { type ModelServer, modelServer } from "../rigs/model-server.ts";

const REPOSITORY = "acme/durations";
const KEY = "sk-proj-AKeyThatNobodyMaySee0123456789";

/** The demo, with one failure whose message repeats the key, as some servers' do. */
const indiscreet = (): ModelScript => {
  let asked = 0;
  return async (request) =>
    ++asked === 3
      ? { fault: "status", status: 500, body: { error: { message: `the key ${KEY} failed upstream` } } }
      : demoScript(request);
};

const options = {
  repositories: [{ fullName: REPOSITORY, from: demoRepository }],
  users: [{ login: "mona", permission: "write" as const }],
};

/** A forge, and what nobody may see of what the bot knows there. */
const forges = {
  github: async () => {
    const rig = await githubRig(options);
    return { rig, secrets: () => secretsOnGithub(rig) };
  },
  forgejo: async () => {
    const rig = await forgejoRig(options);
    return { rig, secrets: () => secretsOnForgejo(rig) };
  },
};

describe.each(["github", "forgejo"] as const)("tokens and keys, on %s", (kind) => {
  let rig: GithubRig | ForgejoRig;
  let secrets: () => Record<string, string>;
  let model: ModelServer;
  let root: string;
  let child: UwfChild;
  let watch: NodeJS.Timeout;
  const commandLines = new Set<string>();

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "uwf-secrets-"));
    ({ rig, secrets } = await forges[kind]());
    model = await modelServer({ script: indiscreet(), apiKey: KEY });
    watch = setInterval(() => {
      for (const line of allCommandLines()) commandLines.add(line);
    }, 5);
    child = uwfChild(["start", "--unsafe-no-sandbox"], {
      ...rig.env,
      PATH: process.env.PATH ?? "",
      HOME: root,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: "scripted",
      UWF_STORAGE_ROOT: join(root, "storage"),
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "trace",
      DEBUG: "*",
      GIT_TRACE_CURL: "1",
      OPENAI_LOG: "debug",
    });
  });
  afterEach(async () => {
    clearInterval(watch);
    child.process.kill("SIGKILL");
    await child.ended;
    try {
      await expectNoDrift(join(root, "storage"), rig);
    } finally {
      await model.close();
      await rig.close();
      rmSync(root, { recursive: true, force: true });
    }
  });

  it("reach no log, argument, prompt, comment or file, however much is logged", async () => {
    await expect.poll(child.output, { timeout: 30_000, interval: 50 }).toMatch(/listens on http/);
    rig.sendWebhooksTo(`${/listens on (http:\S+)/.exec(child.output())?.[1]}/api/${kind}/webhooks`);
    const { number } = await rig.openIssue(REPOSITORY, { ...demoIssue, author: "mona" });
    const comments = async () => (await rig.comments(REPOSITORY, number)).map(({ body }) => body).join("\n");

    await rig.label(REPOSITORY, number, "uwf", "mona");
    await expect.poll(comments, { timeout: 60_000, interval: 100 }).toContain("**Done.**");

    const places: Readonly<Record<string, string>> = {
      ...filesBelow(join(root, "storage")),
      "the log": child.output(),
      arguments: [...commandLines].join("\n"),
      prompts: JSON.stringify(model.requests.map(({ messages }) => messages)),
      "the comment": await comments(),
      "the pull request": JSON.stringify(await rig.pullRequests(REPOSITORY)),
    };
    expect(places["the log"]).toContain("[key] failed upstream");
    expect(places["the log"]).toContain("POST");
    for (const [name, secret] of Object.entries({ "the model's key": KEY, ...secrets() }))
      expect(
        Object.keys(places).filter((place) => places[place]?.includes(secret)),
        name,
      ).toEqual([]);
  });
});

const secretsOnGithub = ({ env, minted }: GithubRig): Record<string, string> => {
  expect(minted.length).toBeGreaterThan(2);
  const keyLine = env.GITHUB_APP_PRIVATE_KEY.split(/\\n|\n/)[3] ?? "";
  const tokens = minted.map(({ token }, index) => asSent(`token ${index}`, token));
  return Object.assign(
    { "the App's key": keyLine, "the webhook secret": env.GITHUB_WEBHOOK_SECRET },
    ...tokens,
  );
};

const secretsOnForgejo = ({ env }: ForgejoRig): Record<string, string> => ({
  "the webhook secret": env.FORGEJO_WEBHOOK_SECRET,
  ...asSent("the bot's token", env.FORGEJO_TOKEN),
});

/** A token, and as git sends it. */
const asSent = (name: string, token: string): Record<string, string> => ({
  [name]: token,
  [`${name} as git sends it`]: Buffer.from(`x-access-token:${token}`).toString("base64"),
});

const filesBelow = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .map((name) => join(directory, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
      .map((path) => [path, readFileSync(path, "latin1")]),
  );

/** Of every process of the machine; one may end while it is read. */
const allCommandLines = (): string[] =>
  (process.platform === "linux" ? readdirSync("/proc") : [])
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "latin1")];
      } catch {
        return [];
      }
    });
