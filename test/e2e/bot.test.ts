import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { type Service, startBot } from "../../src/serve.ts";
import type { ThreadEvent } from "../../src/thread/events.ts";
import { bubblewrapIsHere } from "../fixtures/bubblewrap.ts";
import { expectNoDrift } from "../fixtures/replay-rig.ts";
import { type UwfChild, uwfChild } from "../fixtures/uwf-child.ts";
import { testBranch } from "../rigs/demo/repository-test.ts";
import { demoIssue, demoRepository, demoScript } from "../rigs/demo-script.ts";
import { type GithubRig, githubRig } from "../rigs/github.ts";
import { type ModelServer, modelServer } from "../rigs/model-server.ts";

const REPOSITORY = "acme/durations";

const sandboxes = [
  { sandbox: "none", isHere: true },
  { sandbox: "bubblewrap", isHere: bubblewrapIsHere() },
] as const;

for (const { sandbox, isHere } of sandboxes)
  describe.skipIf(!isHere)(`the bot, sandbox ${sandbox}`, () => {
    let rig: GithubRig;
    let model: ModelServer;
    let root: string;
    let bot: Service | undefined;
    let child: UwfChild | undefined;
    let events: ThreadEvent[];

    beforeEach(async () => {
      root = mkdtempSync(join(tmpdir(), "uwf-bot-"));
      events = [];
      rig = await githubRig({
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
      child?.process.kill("SIGKILL");
      await child?.ended;
      child = undefined;
      await expectNoDrift(join(root, "storage"), rig);
      await model.close();
      await rig.close();
      rmSync(root, { recursive: true, force: true });
    });

    const env = () => ({
      ...rig.env,
      PATH: process.env.PATH ?? "",
      HOME: root,
      OPENAI_API_KEY: "sk-of-a-scripted-model",
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: "scripted",
      UWF_STORAGE_ROOT: join(root, "storage"),
      HOST: "127.0.0.1",
      PORT: "0",
    });
    const start = async () => {
      const config = loadConfig({ env: env() });
      bot = await startBot(
        { ...config, sandbox: { ...config.sandbox, kind: sandbox } },
        { log: pino({ level: "silent" }), emit: (event) => events.push(event) },
      );
      rig.sendWebhooksTo(`${bot.url}/api/github/webhooks`);
    };
    const openIssue = () => rig.openIssue(REPOSITORY, { ...demoIssue, author: "mona" });
    const comment = async (issue: number) => (await rig.comments(REPOSITORY, issue)).map(({ body }) => body);
    const shown = (issue: number, state: string) =>
      expect
        .poll(() => comment(issue), { timeout: 60_000, interval: 100 })
        .toEqual([expect.stringContaining(`**${state}.**`)]);

    it("turns a labelled issue into a pull request whose test passes", async () => {
      await start();
      const { number } = await openIssue();

      await rig.label(REPOSITORY, number, "uwf", "mona");
      await shown(number, "Done");

      const [pull, ...others] = await rig.pullRequests(REPOSITORY);
      expect(others).toEqual([]);
      expect(pull).toMatchObject({
        author: rig.botLogin,
        base: "main",
        draft: false,
        reviewers: ["mona"],
        head: { branch: `uwf/issue-${number}-500ms-is-read-as-500-minutes` },
        body: expect.stringContaining(`Closes #${number}`),
      });
      const repository = rig.bare(REPOSITORY).directory;
      expect((await testBranch(repository, "main")).passed).toBe(false);
      expect((await testBranch(repository, pull?.head.branch ?? "")).passed).toBe(true);
      expect(rig.reactions(REPOSITORY, `issues/${number}`)).toMatchObject([{ content: "eyes" }]);
    });

    it("does nothing for somebody who may only read, and nothing for other labels", async () => {
      await start();
      const { number } = await openIssue();

      await rig.label(REPOSITORY, number, "bug", "mona");
      await rig.label(REPOSITORY, number, "uwf", "reader");
      await expect
        .poll(() => rig.reactions(REPOSITORY, `issues/${number}`))
        .toMatchObject([{ content: "confused" }]);

      expect(await comment(number)).toEqual([]);
      expect(await rig.pullRequests(REPOSITORY)).toEqual([]);
      expect(model.requests).toEqual([]);
    });

    it("makes one thread of a delivery that comes three times", async () => {
      await start();
      const { number } = await openIssue();

      await rig.label(REPOSITORY, number, "uwf", "mona");
      const labelled = rig.delivered.find(({ action }) => action === "labeled");
      await Promise.all([rig.redeliver(labelled?.id ?? ""), rig.redeliver(labelled?.id ?? "")]);
      await shown(number, "Done");

      expect(await rig.pullRequests(REPOSITORY)).toHaveLength(1);
      expect(new Set(events.map(({ thread, within }) => within?.thread ?? thread)).size).toBe(1);
    });

    it("says on the issue what keeps it from starting", async () => {
      await start();
      const { number } = await openIssue();
      await rig.writeFile(REPOSITORY, {
        path: ".uwf/workflows/solve-issue.yaml",
        content: "version: 1\nname: solve-issue\nroles: {}\n",
        branch: "main",
        by: "mona",
      });

      await rig.label(REPOSITORY, number, "uwf", "mona");
      await expect
        .poll(() => comment(number), { timeout: 60_000, interval: 100 })
        .toEqual([expect.stringContaining("To `mona`: ")]);

      expect((await comment(number))[0]).toContain(".uwf/workflows/solve-issue.yaml");
    });

    it("goes on after the whole process was killed, with one pull request and one comment", async () => {
      const { number } = await openIssue();
      await startChild();
      await rig.label(REPOSITORY, number, "uwf", "mona");
      await expect.poll(() => model.requests.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(5);
      child?.process.kill("SIGKILL");
      await child?.ended;

      await startChild();
      await shown(number, "Done");

      expect(await rig.pullRequests(REPOSITORY)).toHaveLength(1);
    });

    const startChild = async () => {
      const started = uwfChild(["start", ...(sandbox === "none" ? ["--unsafe-no-sandbox"] : [])], env());
      child = started;
      await expect.poll(() => started.output(), { timeout: 30_000, interval: 50 }).toMatch(/listens on http/);
      const url = /listens on (http:\S+)/.exec(started.output())?.[1];
      rig.sendWebhooksTo(`${url}/api/github/webhooks`);
    };
  });
