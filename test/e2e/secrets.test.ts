import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfChild, uwfChild } from "../fixtures/uwf-child.ts";
import { demoIssue, demoRepository, demoScript } from "../rigs/demo-script.ts";
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

describe("tokens and keys", () => {
  let rig: GithubRig;
  let model: ModelServer;
  let root: string;
  let child: UwfChild;
  let watch: NodeJS.Timeout;
  const commandLines = new Set<string>();

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "uwf-secrets-"));
    rig = await githubRig({
      repositories: [{ fullName: REPOSITORY, from: demoRepository }],
      users: [{ login: "mona", permission: "write" }],
    });
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
    await model.close();
    await rig.close();
    rmSync(root, { recursive: true, force: true });
  });

  it("reach no log, argument, prompt, comment or file, however much is logged", async () => {
    await expect.poll(child.output, { timeout: 30_000, interval: 50 }).toMatch(/listens on http/);
    rig.sendWebhooksTo(`${/listens on (http:\S+)/.exec(child.output())?.[1]}/api/github/webhooks`);
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
    expect(rig.minted.length).toBeGreaterThan(2);
    expect(places["the log"]).toContain("[key] failed upstream");
    expect(places["the log"]).toContain("POST");
    for (const [name, secret] of Object.entries(secretsOf(rig)))
      expect(
        Object.keys(places).filter((place) => places[place]?.includes(secret)),
        name,
      ).toEqual([]);
  });
});

const secretsOf = (rig: GithubRig): Record<string, string> => {
  const keyLine = rig.env.GITHUB_APP_PRIVATE_KEY.split(/\\n|\n/)[3] ?? "";
  const secrets: Record<string, string> = { "the model's key": KEY, "the App's key": keyLine };
  secrets["the webhook secret"] = rig.env.GITHUB_WEBHOOK_SECRET;
  for (const [index, { token }] of rig.minted.entries()) {
    secrets[`token ${index}`] = token;
    secrets[`token ${index} as git sends it`] = Buffer.from(`x-access-token:${token}`).toString("base64");
  }
  return secrets;
};

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
