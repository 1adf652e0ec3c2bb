import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { secretKeeper } from "../../../src/base/redact.ts";
import type { Forge } from "../../../src/forge/forge.ts";
import { githubApp } from "../../../src/forge/github/github-app.ts";
import { githubForges } from "../../../src/forge/github/github-forges.ts";
import { durations } from "../../fixtures/durations.ts";
import { botPullRequest } from "../../fixtures/github-forge.ts";
import { at } from "../../rigs/github/api.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const REPOSITORY = durations.fullName;
let rig: GithubRig;

/** Every client has tokens of its own. */
const open = (
  secrets = secretKeeper([]),
  place: { repository?: string; repositoryId?: number } = {},
): Promise<Forge> => {
  const app = githubApp({
    pace: "immediate",
    appId: Number(rig.env.GITHUB_APP_ID),
    privateKey: rig.env.GITHUB_APP_PRIVATE_KEY,
    webhookSecret: rig.env.GITHUB_WEBHOOK_SECRET,
    apiUrl: rig.apiUrl,
    log: pino({ level: "silent" }),
    secrets,
  });
  return githubForges({ app, webUrl: rig.webUrl, log: silentLog }).open({
    forge: "github",
    repository: REPOSITORY,
    installationId: rig.installationId,
    ...place,
  });
};

let issue: number;
let pull: Awaited<ReturnType<typeof botPullRequest>>;

beforeAll(async () => {
  rig = await githubRig({
    repositories: [
      { fullName: REPOSITORY, from: durations.directory },
      { fullName: "acme/other", from: durations.directory },
    ],
    users: [{ login: "mona", permission: "write" }],
  });
  issue = (await rig.openIssue(REPOSITORY, { title: "One", body: "", author: "mona" })).number;
  pull = await botPullRequest(rig, await open());
});
afterAll(() => rig.close());

const check = { thread: "01", status: "success", summary: "", url: null } as const;

/** What a call does, and all that its tokens may be good for: the second is who the bot is, found out once. */
const calls: Readonly<
  Record<string, readonly [call: (forge: Forge) => Promise<unknown>, ...permissions: object[]]>
> = {
  permission: [(forge) => forge.permission("mona"), reading()],
  issue: [(forge) => forge.issue(issue), reading()],
  file: [(forge) => forge.file("package.json"), reading()],
  defaultBranch: [(forge) => forge.defaultBranch(), reading()],
  findComment: [(forge) => forge.findComment(issue, "none"), reading()],
  pullRequest: [(forge) => forge.pullRequest(pull.number), reading()],
  findPullRequest: [(forge) => forge.findPullRequest("uwf/none"), reading()],
  reviewThreads: [(forge) => forge.reviewThreads(pull.number), reading()],
  hasReview: [(forge) => forge.hasReview(pull.number, "none"), reading()],
  react: [(forge) => forge.react({ issue }, "eyes"), { issues: "write", pull_requests: "write" }],
  createComment: [(forge) => forge.createComment(issue, "hm"), { issues: "write", pull_requests: "write" }],
  createPullRequest: [
    (forge) =>
      forge.createPullRequest({
        ...{ branch: pull.branch, base: "main", title: "Notes", body: "", draft: false },
        reviewers: ["mona"],
      }),
    { contents: "read", pull_requests: "write" },
  ],
  updatePullRequest: [
    (forge) => forge.updatePullRequest(pull.number, { title: "Better" }),
    { contents: "read", pull_requests: "write" },
  ],
  createReview: [
    (forge) => forge.createReview(pull.number, { commit: pull.commit, body: "hm", comments: [] }),
    { contents: "read", pull_requests: "write" },
  ],
  setDraft: [(forge) => forge.setDraft(pull.number, true), { contents: "write", pull_requests: "write" }],
  setCheck: [(forge) => forge.setCheck({ ...check, commit: pull.commit }), { checks: "write" }],
  checks: [(forge) => forge.checks(pull.commit), { checks: "read", statuses: "read" }, reading()],
  "remote for reading": [(forge) => forge.remote("read"), { contents: "read" }],
  "remote for writing": [(forge) => forge.remote("write"), { contents: "write" }],
  botAuthor: [(forge) => forge.botAuthor(), reading()],
};

function reading(): object {
  return { contents: "read", issues: "read", pull_requests: "read" };
}

describe("a token of an installation", () => {
  let before: number;
  beforeEach(() => {
    before = rig.minted.length;
  });
  const minted = () => rig.minted.slice(before);

  it.each(Object.entries(calls))(
    "for %s is for one repository, and for what that needs alone",
    async (_, asked) => {
      const [call, ...permissions] = asked;

      await call(await open());

      const asSet = (all: readonly object[]) => all.map((each) => JSON.stringify(each)).sort();
      expect(minted().map(({ repositories }) => repositories)).toEqual(permissions.map(() => ["durations"]));
      expect(asSet(minted().map((token) => sorted(token.permissions)))).toEqual(asSet(permissions));
    },
  );

  it("is asked for by the repository's id where that is known", async () => {
    const answer: unknown = await (await fetch(`${rig.apiUrl}/repos/acme/other`, withToken("mona"))).json();

    const repositoryId = Number(at(answer, "id"));
    const other = await open(undefined, { repository: "acme/other", repositoryId });
    await other.defaultBranch();

    expect(minted()).toMatchObject([{ repositories: ["other"] }]);
  });

  it("opens no other repository", async () => {
    await (await open()).issue(issue);
    const token = minted()[0]?.token ?? "";

    for (const path of ["", "/issues/1", "/contents/package.json"])
      expect(
        (
          await fetch(`${rig.apiUrl}/repos/acme/other${path}`, {
            headers: { authorization: `token ${token}` },
          })
        ).status,
        path,
      ).toBe(404);
  });

  it("is shared by calls of the same phase, and by no other", async () => {
    const forge = await open();

    await Promise.all([forge.issue(issue), forge.permission("mona"), forge.file("package.json")]);
    await forge.issue(issue);
    await forge.createComment(issue, "a");

    expect(minted()).toHaveLength(2);
  });

  it("for git is nobody else's, and opens nothing once it is given up", async () => {
    const forge = await open();

    const [one, two] = await Promise.all([forge.remote("read"), forge.remote("read")]);
    await one.giveUp?.();

    const status = async (token: string | null) =>
      (
        await fetch(`${rig.gitUrl(REPOSITORY)}/info/refs?service=git-upload-pack`, {
          headers: { authorization: `Basic ${btoa(`x-access-token:${token}`)}` },
        })
      ).status;
    expect(one.token).not.toBe(two.token);
    expect(await status(one.token)).toBe(401);
    expect(await status(two.token)).toBe(200);
  });

  it("that GitHub has taken back is replaced", async () => {
    const forge = await open();
    await forge.issue(issue);
    rig.revoke(minted()[0]?.token ?? "");

    await expect(forge.issue(issue)).resolves.toMatchObject({ number: issue });

    expect(minted()).toHaveLength(2);
  });

  it("is known as a secret before anybody can see it, and so is what the App signs", async () => {
    const seen: string[] = [];
    const forge = await open({ ...secretKeeper([]), add: (secret) => void seen.push(secret) });

    const { token } = await forge.remote("read");
    await forge.issue(issue);

    expect(seen).toContain(token);
    expect(minted().filter((each) => !seen.includes(each.token))).toEqual([]);
    expect(seen.filter((secret) => secret.startsWith("eyJ"))).not.toEqual([]);
  });

  it.each([
    [422, "The permissions requested are not granted to this installation.", "forge-denied"],
    [422, "There is at least one repository that does not exist or is not accessible", "forge-missing"],
    [404, "Not Found", "forge-missing"],
    [500, "Sorry", "forge-unavailable"],
  ])("that GitHub refuses with %i %s is %s, and is asked for again", async (status, message, code) => {
    const forge = await open();
    rig.fault({ method: "POST", path: /access_tokens$/, answer: { status, message } });

    await expect(forge.issue(issue)).rejects.toMatchObject({ code });
    await expect(forge.issue(issue)).resolves.toMatchObject({ number: issue });
  });
});

const sorted = (permissions: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(permissions)
      .filter(([name]) => name !== "metadata")
      .sort(([a], [b]) => a.localeCompare(b)),
  );

const withToken = (login: string) => ({ headers: { authorization: `token ${rig.tokenOf(login)}` } });
