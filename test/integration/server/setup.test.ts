import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openGithubSetup } from "../../../src/app/forges.ts";
import { addToEnvFile, checkEnvFile } from "../../../src/config/env-file.ts";
import { githubServer } from "../../../src/config/github-server.ts";
import { listen } from "../../../src/server/server.ts";
import { secret, setupSession } from "../../../src/server/setup/session.ts";
import { createSetupServer } from "../../../src/server/setup/setup-server.ts";
import { forgeForm, type SetupBrowser, setupBrowser } from "../../fixtures/setup-browser.ts";
import { type GithubRig, githubRig } from "../../rigs/github.ts";

const from = fileURLToPath(new URL("../../fixtures/repositories/durations", import.meta.url));
const HOUR = 60 * 60_000;

describe("the page that sets a server up on GitHub", () => {
  let rig: GithubRig;
  beforeAll(async () => {
    rig = await githubRig({ repositories: [{ fullName: "acme/durations", from }], users: [] });
  });
  afterAll(() => rig.close());

  let parent: string;
  let root: string;
  let url: string;
  let token: string;
  let clock: { ms: number };
  let done: number;
  let close: () => Promise<void>;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "uwf-setup-"));
    root = join(parent, "root");
    clock = { ms: 1_800_000_000_000 };
    done = 0;
    token = secret();
    const server = await createSetupServer(pino({ level: "silent" }), {
      ...(await openGithubSetup(githubServer({ GHE_HOST: rig.env.GHE_HOST, GHE_PROTOCOL: "http" }))),
      session: setupSession(token, { now: () => clock.ms }),
      checkKept: () => checkEnvFile(root),
      keep: async ({ id }) => void (await addToEnvFile(root, { GITHUB_APP_ID: String(id) })),
      onDone: () => done++,
    });
    url = await listen(server, { host: "127.0.0.1", port: 0 });
    close = () => server.close();
  });
  afterEach(async () => {
    await close();
    await rm(parent, { recursive: true });
  });

  const letIn = async (): Promise<SetupBrowser> => {
    const browser = setupBrowser();
    await browser.get(`${url}/setup?token=${token}`);
    return browser;
  };
  const fields = { organisation: "acme", publicUrl: "https://uwf.example.org/", name: "" };
  /** To the forge, where the App is registered, and where the browser is sent then. */
  const register = async (browser: SetupBrowser): Promise<string> => {
    const page = await browser.fill(`${url}/setup`, fields);
    return (await browser.send(forgeForm(page))).location;
  };

  it("lets in the browser that has the link of the terminal, once", async () => {
    const browser = setupBrowser();
    const stranger = setupBrowser();

    const first = await browser.get(`${url}/setup?token=${token}`);
    const form = await browser.get(`${url}/setup`);

    expect([first.status, first.location]).toEqual([303, "/setup"]);
    expect(first.headers.get("set-cookie")).toMatch(/; Path=\/setup; HttpOnly; SameSite=Lax$/);
    expect([form.status, form.text.includes("Address of this server")]).toEqual([200, true]);
    for (const path of [
      `/setup?token=${token}`,
      "/setup",
      "/setup?token=x",
      "/setup/created?code=a&state=b&token=x",
    ])
      expect((await stranger.get(`${url}${path}`)).status).toBe(401);
    expect((await stranger.send({ action: `${url}/setup?token=x`, fields })).status).toBe(401);
  });

  it("sends pages that load and run nothing, and tell no other site where they were", async () => {
    const browser = await letIn();

    const { headers } = await browser.get(`${url}/setup`);
    const toForge = await browser.fill(`${url}/setup`, fields);

    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(toForge.headers.get("content-security-policy")).toContain("; form-action 'self' http:; ");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("takes no form of another site, though the browser sends its cookie along", async () => {
    const browser = await letIn();
    await browser.get(`${url}/setup`);

    for (const key of [{}, { key: "" }, { key: secret() }]) {
      const page = await browser.send({ action: `${url}/setup`, fields: { ...fields, ...key } });
      expect([page.status, page.text.includes("This was not sent from the page of this server.")]).toEqual([
        400,
        true,
      ]);
    }
  });

  it("registers an App with the permissions and events of app.yml, for the organisation", async () => {
    const browser = await letIn();

    const back = await register(browser);
    const page = await browser.get(back);

    expect(page.status).toBe(200);
    expect(page.text).toContain(`${rig.webUrl}/apps/uwf/installations/new`);
    expect(rig.registered.at(-1)).toMatchObject({
      owner: "acme",
      name: "uwf-acme",
      hook_attributes: { url: "https://uwf.example.org/api/github/webhooks" },
      redirect_url: `${url}/setup/created`,
      default_permissions: { contents: "write" },
    });
    expect(parseEnv(await readFile(join(root, ".env"), "utf8"))).toEqual({ GITHUB_APP_ID: "4242" });
    expect(((await stat(join(root, ".env"))).mode & 0o777).toString(8)).toBe("600");
    await expect.poll(() => done).toBe(1);
  });

  it("takes an App once, however often its page is loaded", async () => {
    const browser = await letIn();
    const back = await register(browser);

    const pages = await Promise.all([browser.get(back), browser.get(back)]);
    const later = await browser.get(back);

    expect([...pages, later].map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("takes no code that came with a state of somebody else's, or of an hour ago", async () => {
    const browser = await letIn();
    const back = await register(browser);
    const forged = back.replace(/state=[\w-]+/, "state=forged");

    const wrong = await browser.get(forged);
    clock.ms += HOUR;
    const late = await browser.get(back);

    for (const { status, text } of [wrong, late]) {
      expect(status).toBe(400);
      expect(text).toContain("This page was not asked for from here, or more than an hour ago.");
    }
    await expect(stat(root)).resolves.toBeDefined();
    await expect(stat(join(root, ".env"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("says that a code was used before, and takes none with that state any more", async () => {
    const browser = await letIn();
    const back = new URL(await register(browser));
    await fetch(`${rig.apiUrl}/app-manifests/${back.searchParams.get("code")}/conversions`, {
      method: "POST",
    });

    const used = await browser.get(back.href);
    const again = await browser.get(back.href);

    expect([used.status, used.text.includes("it was used before")]).toEqual([400, true]);
    expect(again.text).toContain("This page was not asked for from here");
  });

  it.each(["cut", { status: 502 }] as const)("goes on once GitHub answers again (%j)", async (answer) => {
    const browser = await letIn();
    const back = await register(browser);
    rig.fault({ method: "POST", path: /^\/app-manifests\//, answer });

    const failed = await browser.get(back);
    const then = await browser.get(back);

    expect([failed.status, failed.text.includes("GitHub does not hand out the App now")]).toEqual([
      503,
      true,
    ]);
    expect(failed.text).toContain("Try again");
    expect(then.status).toBe(200);
  });

  it("says before anything is registered that the key could not be kept", async () => {
    await writeFile(root, "a file where a directory has to be");
    const browser = await letIn();

    const page = await browser.fill(`${url}/setup`, fields);

    expect(page.status).toBe(500);
    expect(page.text).toContain(`the storage root ${root} cannot be written`);
    expect(page.text).not.toContain("manifest");
  });

  it("keeps the App's key until it can be written", async () => {
    const browser = await letIn();
    const back = await register(browser);
    // A directory is found only when the file is to take its place.
    await rm(root, { recursive: true });
    await mkdir(join(root, ".env", "in-the-way"), { recursive: true });

    const failed = await browser.get(back);
    await rm(join(root, ".env"), { recursive: true });
    const then = await browser.get(back);

    expect([failed.status, failed.text.includes("cannot be written")]).toEqual([500, true]);
    expect(then.status).toBe(200);
  });

  it("shows what was filled in again, as text, with what is wrong", async () => {
    const browser = await letIn();
    const wrong = { organisation: '"><script>x', publicUrl: "uwf.example.org", name: "n" };

    const page = await browser.fill(`${url}/setup`, wrong);

    expect(page.status).toBe(400);
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;x"');
    expect(page.text).toContain("The address is that of this server as GitHub reaches it");
    expect(page.text).not.toContain("<script");
  });

  it("is alive, and not ready", async () => {
    const [alive, ready, first] = await Promise.all(
      ["/healthz", "/readyz", "/"].map((path) => fetch(`${url}${path}`, { redirect: "manual" })),
    );

    expect([alive?.status, ready?.status, first?.headers.get("location")]).toEqual([200, 503, "/setup"]);
  });
});
