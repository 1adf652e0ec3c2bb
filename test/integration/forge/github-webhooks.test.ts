import { afterAll, beforeAll, expect, it } from "vitest";
import type { Forge } from "../../../src/forge/forge.ts";
import { parseGithubEvent } from "../../../src/forge/github/github-events.ts";
import { durations } from "../../fixtures/durations.ts";
import { botPullRequest, githubForgeOn } from "../../fixtures/github-forge.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
let rig: GithubRig;
let forge: Forge;

beforeAll(async () => {
  rig = await githubRig({
    repositories: [{ fullName: REPOSITORY, from: durations.directory }],
    users: [{ login: "mona", permission: "write" }],
  });
  forge = await githubForgeOn(rig, REPOSITORY);
});
afterAll(() => rig.close());

const appId = () => Number(rig.env.GITHUB_APP_ID);
const told = () =>
  rig.delivered.flatMap((delivery) => {
    const event = parseGithubEvent(delivery, { appId: appId() });
    return event === null ? [] : [event];
  });

it("what happens on GitHub arrives as the bot's own events, and nothing else does", async () => {
  const issue = await rig.openIssue(REPOSITORY, { title: "Wrong", body: "So.", author: "mona" });
  await rig.label(REPOSITORY, issue.number, "uwf", "mona");
  await rig.unlabel(REPOSITORY, issue.number, "uwf", "mona");
  const said = await rig.comment(REPOSITORY, issue.number, { body: "/solve", author: "mona" });
  await rig.editComment(REPOSITORY, said.id, { body: "/plan", by: "mona" });
  const pull = await botPullRequest(rig, forge);
  await rig.label(REPOSITORY, pull.number, "uwf", "mona");
  await rig.comment(REPOSITORY, pull.number, { body: "/fix", author: "mona" });
  await rig.review(REPOSITORY, pull.number, { author: "mona", verdict: "APPROVE" });
  await forge.setCheck({ commit: pull.commit, thread: "T", status: "success", summary: "", url: null });
  const checks = [{ name: "test", conclusion: "failure" as const }];
  await rig.tellChecks(REPOSITORY, pull.commit, { checks });
  const status = { context: "ci", by: "mona" };
  await rig.tellStatus(REPOSITORY, pull.commit, { ...status, state: "pending" });
  await rig.tellStatus(REPOSITORY, pull.commit, { ...status, state: "success" });
  await rig.selectRepository(REPOSITORY, "removed");
  await rig.selectRepository(REPOSITORY, "added");
  await rig.changeInstallation("acme", "deleted");

  const mona = expect.objectContaining({ login: "mona", isBot: false });
  const about = { forge: "github", installationId: rig.installationId };
  const here = { ...about, repository: REPOSITORY, defaultBranch: "main", repositoryId: expect.any(Number) };
  const onIssue = expect.objectContaining({ number: issue.number, isPullRequest: false, author: "mona" });
  const onPull = expect.objectContaining({ number: pull.number, isPullRequest: true, author: rig.botLogin });
  const finished = { kind: "checks-finished", ...here, commit: pull.commit, branch: pull.branch };
  const changed = { kind: "installation-changed", ...about, account: "acme" };
  await expect.poll(() => told().length).toBe(10);
  expect(told()).toEqual(
    expect.arrayContaining([
      { kind: "issue-labelled", ...here, sender: mona, issue: onIssue, label: "uwf" },
      { kind: "issue-labelled", ...here, sender: mona, issue: onPull, label: "uwf" },
      expect.objectContaining({ kind: "commented", ...here, sender: mona, issue: onIssue }),
      expect.objectContaining({
        ...{ kind: "commented", ...here, sender: mona, issue: onPull },
        comment: expect.objectContaining({ body: "/fix", at: expect.any(Number) }),
      }),
      expect.objectContaining({
        ...{ kind: "reviewed", ...here, sender: mona, issue: onPull },
        review: expect.objectContaining({ verdict: "approved", body: "" }),
      }),
      expect.objectContaining({ ...finished, passed: false }),
      expect.objectContaining({ ...finished, passed: true, sender: mona }),
      expect.objectContaining({ ...changed, change: "removed", repositories: [REPOSITORY] }),
      expect.objectContaining({ ...changed, change: "added", repositories: [REPOSITORY] }),
      expect.objectContaining({ ...changed, change: "removed", repositories: null }),
    ]),
  );
});
