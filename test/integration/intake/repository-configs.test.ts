import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { githubApp } from "../../../src/forge/github/github-app.ts";
import { githubForges } from "../../../src/forge/github/github-forges.ts";
import { repositoryConfigs } from "../../../src/intake/repository-configs.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

let rig: GithubRig;
let scratch: string;

/** A directory that holds these files. */
const directoryOf = async (name: string, files: Record<string, string>): Promise<string> => {
  const directory = join(scratch, name);
  for (const [path, text] of Object.entries({ "README.md": "A repository.\n", ...files })) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
};

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "uwf-configs-"));
  const own = { ".github/uwf.yml": "labels: { bug: fix-bug }\n" };
  const wrong = { ".github/uwf.yml": "draft: never\nlables: {}\n" };
  rig = await githubRig({
    repositories: [
      { fullName: "acme/parser", from: await directoryOf("parser", own) },
      { fullName: "acme/printer", from: await directoryOf("printer", {}) },
      { fullName: "acme/wrong", from: await directoryOf("wrong", wrong) },
      {
        fullName: "acme/.github",
        from: await directoryOf("organisation", { ".github/uwf.yml": "draft: always\n" }),
      },
      { fullName: "solo/parser", from: await directoryOf("solo", own) },
    ],
    users: [{ login: "ada", permission: "admin" }],
  });
});

afterAll(async () => {
  await rig.close();
  await rm(scratch, { recursive: true, force: true });
});

const read = async (repository: string) => {
  const app = githubApp({
    pace: "immediate",
    appId: Number(rig.env.GITHUB_APP_ID),
    privateKey: rig.env.GITHUB_APP_PRIVATE_KEY,
    webhookSecret: rig.env.GITHUB_WEBHOOK_SECRET,
    apiUrl: rig.apiUrl,
    log: pino({ level: "silent" }),
  });
  const forges = githubForges({ app, webUrl: rig.webUrl, log: silentLog });
  const place = { forge: "github" as const, repository, installationId: null };
  const configOf = repositoryConfigs({ forges, log: silentLog, now: Date.now });
  return configOf(await forges.open(place), place);
};

describe("a repository's configuration on GitHub", () => {
  it("adds to its organisation's", async () => {
    expect(await read("acme/parser")).toMatchObject({
      labels: { bug: "fix-bug", uwf: "solve-issue" },
      draft: "always",
    });
  });

  it("is its organisation's where it has none", async () => {
    expect(await read("acme/printer")).toMatchObject({ draft: "always" });
  });

  it("stands alone where the organisation's repository is missing", async () => {
    expect(await read("solo/parser")).toMatchObject({
      labels: { bug: "fix-bug" },
      draft: "until-tests-pass",
    });
  });

  it("is told with its line when it is wrong", async () => {
    await expect(read("acme/wrong")).rejects.toMatchObject({
      code: "repository-config-invalid",
      message: 'acme/wrong .github/uwf.yml:2:1: lables: unknown field; did you mean "labels"?',
    });
  });

  it.each([
    ["acme/parser", /^\/repos\/acme\/parser\/contents\//],
    ["acme/.github", /^\/repos\/acme\/\.github\/contents\//],
  ])("fails while GitHub does not answer for %s", async (_, path) => {
    rig.fault({ method: "GET", path, answer: { status: 502 } });

    await expect(read("acme/parser")).rejects.toMatchObject({ code: "forge-unavailable", remedy: "retry" });

    expect(await read("acme/parser")).toMatchObject({ draft: "always" });
  });

  it("stands alone where the bot may not see the organisation's repository", async () => {
    rig.fault({ method: "GET", path: /^\/repos\/acme\/\.github\/contents\//, answer: { status: 403 } });

    expect(await read("acme/parser")).toMatchObject({
      labels: { bug: "fix-bug" },
      draft: "until-tests-pass",
    });
  });
});
