import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logEvent } from "../../src/cli/log-event.ts";
import { serverLog } from "../../src/cli/server-log.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { type Service, startBot } from "../../src/serve.ts";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { demoIssue, demoRepository, demoScript } from "../rigs/demo-script.ts";
import { type GithubRig, githubRig } from "../rigs/github.ts";
import { type ModelServer, modelServer } from "../rigs/model-server.ts";

const REPOSITORY = "acme/durations";

type Line = Readonly<Record<string, unknown>>;

describe("the log of a bot", () => {
  let rig: GithubRig;
  let model: ModelServer;
  let root: string;
  let bot: Service;
  let text: string;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "uwf-logs-"));
    rig = await githubRig({
      repositories: [{ fullName: REPOSITORY, from: demoRepository }],
      users: [{ login: "mona", permission: "write" }],
    });
    model = await modelServer({ script: demoScript });
    const loaded = loadConfig({
      env: {
        ...rig.env,
        OPENAI_API_KEY: "scripted-key",
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: "scripted",
        UWF_STORAGE_ROOT: join(root, "storage"),
        PORT: "0",
      },
    });
    const config = { ...loaded, sandbox: { ...loaded.sandbox, kind: "none" as const } };
    text = "";
    const log = serverLog({
      level: "debug",
      secrets: config.secrets,
      write: (line) => {
        text += line;
      },
    });
    bot = await startBot(config, { log, emit: (event) => logEvent(log, event) });
    rig.sendWebhooksTo(`${bot.url}/api/github/webhooks`);
  });
  afterEach(async () => {
    try {
      await bot.close();
      await expectNoDrift(join(root, "storage"), rig);
    } finally {
      await model.close();
      await rig.close();
      rmSync(root, { recursive: true, force: true });
    }
  });

  const lines = (): Line[] =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line);
  const saying = (message: string): Line[] => lines().filter(({ msg }) => msg === message);

  it("can be followed from a webhook to its thread, and through every step", async () => {
    const { number } = await rig.openIssue(REPOSITORY, { ...demoIssue, author: "mona" });
    await rig.label(REPOSITORY, number, "uwf", "mona");
    const stopped = () => saying("thread stopped").filter(({ root }) => root === undefined);
    await expect.poll(stopped, { timeout: 60_000, interval: 100 }).toMatchObject([{ status: "completed" }]);

    const webhook = rig.delivered.find(({ action }) => action === "labeled")?.id ?? "none";
    const delivery = `github-${webhook}`;
    const ofDelivery = text.split("\n").filter((line) => line.includes(webhook));
    const [queued] = saying("thread queued");
    const thread = queued?.thread as string;
    expect(saying("delivery stored")).toContainEqual(expect.objectContaining({ delivery, isNew: true }));
    expect(queued).toMatchObject({ delivery, installation: expect.stringMatching(/^github\/\d+$/) });
    expect(ofDelivery.map((line) => (JSON.parse(line) as Line).msg)).toEqual(
      expect.arrayContaining(["delivery stored", "thread queued"]),
    );

    const inSteps = ["step begins", "reply", "tool", "published", "step is done"];
    expect(inSteps.filter((message) => saying(message).length === 0)).toEqual([]);
    for (const message of inSteps)
      for (const line of saying(message)) {
        expect(line).toMatchObject({ step: expect.any(Number), role: expect.any(String) });
        expect(line.root ?? line.thread).toBe(thread);
      }
    const stepsOf = (own: boolean) =>
      saying("step begins")
        .filter((line) => (line.thread === thread) === own)
        .map(({ step, role }) => `${step} ${role}`);
    expect(stepsOf(true)).toEqual(["1 preparer", "2 developer", "3 submitter"]);
    expect(stepsOf(false)).toEqual(["1 planner", "2 coder", "3 reviewer", "4 tester", "5 committer"]);
    const changes = saying("thread is in another state");
    expect(changes.every((line) => (line.root ?? line.thread) === thread)).toBe(true);
  });
});
