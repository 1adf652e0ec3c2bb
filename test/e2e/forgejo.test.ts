import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { type Service, startBot } from "../../src/serve.ts";
import type { ThreadEvent } from "../../src/thread/events.ts";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { testBranch } from "../rigs/demo/repository-test.ts";
import { demoIssue, demoRepository, demoScript } from "../rigs/demo-script.ts";
import { type ForgejoRig, forgejoRig } from "../rigs/forgejo.ts";
import { type GithubRig, githubRig } from "../rigs/github.ts";
import { type ModelServer, modelServer } from "../rigs/model-server.ts";

const REPOSITORY = "acme/durations";

describe("the bot on Forgejo", () => {
  let rig: ForgejoRig;
  let github: GithubRig | undefined;
  let model: ModelServer;
  let root: string;
  let bot: Service | undefined;
  let events: ThreadEvent[];

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "uwf-bot-"));
    events = [];
    rig = await forgejoRig({
      repositories: [{ fullName: REPOSITORY, from: demoRepository }],
      users: [
        { login: "mona", permission: "write" },
        { login: "reader", permission: "read" },
      ],
    });
    model = await modelServer({ script: demoScript });
  });
  afterEach(async () => {
    await bot?.close();
    bot = undefined;
    await expectNoDrift(join(root, "storage"), rig);
    await model.close();
    await rig.close();
    await github?.close();
    github = undefined;
    rmSync(root, { recursive: true, force: true });
  });

  const start = async (more: Record<string, string> = {}): Promise<string> => {
    const config = loadConfig({
      env: {
        ...rig.env,
        ...more,
        OPENAI_API_KEY: "sk-of-a-scripted-model",
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: "scripted",
        UWF_STORAGE_ROOT: join(root, "storage"),
        HOST: "127.0.0.1",
        PORT: "0",
      },
    });
    bot = await startBot(
      { ...config, sandbox: { ...config.sandbox, kind: "none" } },
      { log: pino({ level: "silent" }), emit: (event) => events.push(event) },
    );
    rig.sendWebhooksTo(`${bot.url}/api/forgejo/webhooks`);
    return bot.url;
  };
  const openIssue = (labels: string[] = []) =>
    rig.openIssue(REPOSITORY, { ...demoIssue, author: "mona", labels });
  const shown = (issue: number, text: string) =>
    expect
      .poll(async () => (await rig.comments(REPOSITORY, issue)).map(({ body }) => body), {
        timeout: 60_000,
        interval: 100,
      })
      .toEqual([expect.stringContaining(text)]);
  const threads = () => new Set(events.map(({ thread, within }) => within?.thread ?? thread)).size;

  it("turns a labelled issue into a pull request whose test passes", async () => {
    await start();
    const { number } = await openIssue();

    await rig.label(REPOSITORY, number, "uwf", "mona");
    await shown(number, "**Done.**");

    const [pull, ...others] = await rig.pullRequests(REPOSITORY);
    expect(others).toEqual([]);
    expect(pull).toMatchObject({
      author: rig.botLogin,
      base: "main",
      title: "Read milliseconds as milliseconds, not as minutes",
      reviewers: ["mona"],
      head: { branch: `uwf/issue-${number}-500ms-is-read-as-500-minutes` },
      body: expect.stringContaining(`Closes #${number}`),
    });
    expect((await testBranch(rig.bare(REPOSITORY).directory, pull?.head.branch ?? "")).passed).toBe(true);
    expect(rig.reactions(REPOSITORY, `issues/${number}`)).toMatchObject([{ content: "eyes" }]);
    await rig.idle();
    expect(new Set(rig.delivered.map(({ status }) => status))).toEqual(new Set([202]));
  });

  it("makes one thread of an issue that is opened with the label, and none of what else happens to labels", async () => {
    await start();
    const { number } = await openIssue(["uwf"]);
    await rig.label(REPOSITORY, number, "bug", "mona");
    await rig.unlabel(REPOSITORY, number, "bug", "mona");

    await shown(number, "**Done.**");
    await rig.clearLabels(REPOSITORY, number, "mona");
    await rig.idle();

    expect(threads()).toBe(1);
    expect(await rig.pullRequests(REPOSITORY)).toHaveLength(1);
  });

  it("obeys a command of somebody who may write, and of nobody else", async () => {
    await start();
    const { number } = await openIssue();

    const { id } = await rig.comment(REPOSITORY, number, { body: "/solve", author: "reader" });
    await expect
      .poll(() => rig.reactions(REPOSITORY, `issues/comments/${id}`))
      .toMatchObject([{ content: "confused" }]);
    expect(threads()).toBe(0);

    await rig.comment(REPOSITORY, number, { body: "@uwf solve", author: "mona" });
    await expect.poll(() => rig.pullRequests(REPOSITORY), { timeout: 60_000 }).toHaveLength(1);
  });

  it("says on the issue that it has to be an administrator where it is none", async () => {
    await start();
    await rig.setPermission(REPOSITORY, rig.botLogin, "write");
    const { number } = await openIssue();

    await rig.label(REPOSITORY, number, "uwf", "mona");

    await shown(number, "administrator of the repository");
    expect(threads()).toBe(0);
  });

  it("serves GitHub from the same process", async () => {
    github = await githubRig({
      repositories: [{ fullName: REPOSITORY, from: demoRepository }],
      users: [{ login: "mona", permission: "write" }],
    });
    const url = await start(github.env);
    github.sendWebhooksTo(`${url}/api/github/webhooks`);
    const here = await openIssue();
    const there = await github.openIssue(REPOSITORY, { ...demoIssue, author: "mona" });

    await rig.label(REPOSITORY, here.number, "uwf", "mona");
    await github.label(REPOSITORY, there.number, "uwf", "mona");

    for (const forge of [rig, github])
      await expect.poll(() => forge.pullRequests(REPOSITORY), { timeout: 60_000 }).toHaveLength(1);
    await shown(here.number, "**Done.**");
  });
});
