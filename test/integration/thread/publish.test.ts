import { afterEach, describe, expect, it } from "vitest";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { Source } from "../../../src/store/payload.ts";
import type { Publication } from "../../../src/thread/publisher.ts";
import { publisher } from "../../../src/worker/publish.ts";
import { type FakeForge, fakeForge, forgesOf } from "../../fixtures/fake-forge.ts";
import { type GitSource, gitSource } from "../../fixtures/git-source.ts";
import { submittingWorkflow } from "../../fixtures/submitting-workflow.ts";
import { type ThreadBench, threadBench } from "../../fixtures/thread-bench.ts";

const github: Source = {
  forge: "github",
  repository: "acme/parser",
  defaultBranch: "main",
  issue: { number: 12, title: "It drops a line", url: null },
  requester: { login: "mona", id: 1 },
  installationId: 17,
};

let bench: ThreadBench;
let source: GitSource;
afterEach(async () => {
  await bench.dispose();
  source.dispose();
});

/** What a thread on GitHub would publish, and a publisher whose pushes always succeed. */
const publication = async (forge: FakeForge, change: Partial<Publication> = {}) => {
  bench = await threadBench(scriptedModel([]));
  source = gitSource({ "a.txt": "a\n" });
  const record = await bench.start(submittingWorkflow, { repository: source.repository });
  const history = await bench.store.history(record.head);
  const { agents, workspace } = history.start;
  if (agents.submitter === undefined || workspace === null) throw new Error("the bench made no workspace");
  const pushes: string[] = [];
  const { publish } = publisher({
    store: bench.store,
    workspaces: {
      ...bench.engine.workspaces,
      push: async (_thread, _captured, { branch }) => {
        pushes.push(branch);
        return { branch, commit: "c".repeat(40), changed: true };
      },
    },
    forges: forgesOf(forge),
    now: Date.now,
  });
  const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null };
  const whole: Publication = {
    thread: record.id,
    history: { ...history, start: { ...history.start, source: github } },
    step: { role: "submitter", agent: agents.submitter, turns: null, usage },
    output: { title: "Keep the last line", body: "It is kept." },
    workspace,
    signal: new AbortController().signal,
    confirm: async () => undefined,
    ...change,
  };
  return { publish: () => publish(whole), pushes };
};

describe("publishing", () => {
  it("finds its pull request again, and edits it", async () => {
    const forge = fakeForge();
    const { publish } = await publication(forge);

    const [first, second] = [await publish(), await publish()];

    expect(second).toEqual(first);
    expect(forge.pulls).toHaveLength(1);
    expect(forge.called).toContain("updatePullRequest 1");
  });

  it("opens a new pull request when people have closed or merged the last one", async () => {
    const forge = fakeForge();
    const { publish } = await publication(forge);
    await publish();
    const [merged] = forge.pulls;
    if (merged !== undefined) merged.state = "closed";

    const published = await publish();

    expect(published.url).toBe("https://forge/pull/2");
    expect(forge.called).not.toContain("updatePullRequest 1");
  });

  it("pushes nothing for a thread that was cancelled meanwhile", async () => {
    const forge = fakeForge();
    const cancelled = AbortSignal.abort(new Error("cancelled"));
    const { publish, pushes } = await publication(forge, { signal: cancelled });

    await expect(publish()).rejects.toThrow("cancelled");

    expect([pushes, forge.pulls]).toEqual([[], []]);
  });

  it("opens no pull request for a thread that is cancelled during the push", async () => {
    const forge = fakeForge();
    const stop = new AbortController();
    const { publish } = await publication(forge, { signal: stop.signal });
    forge.botAuthor = async () => {
      stop.abort(new Error("cancelled"));
      return { name: "uwf[bot]", email: "bot@example.org" };
    };

    await expect(publish()).rejects.toThrow("cancelled");

    expect(forge.pulls).toEqual([]);
  });

  it("says in words what an output without a title lacks", async () => {
    const { publish } = await publication(fakeForge(), { output: { title: " ", body: 3 } });

    await expect(publish()).rejects.toMatchObject({
      code: "publish-output-invalid",
      remedy: "fix-input",
      message: expect.stringMatching(/^submitter publishes, .*title.*body/),
    });
  });
});
