import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { appManifest, newAppUrl } from "../../../../src/forge/github/app-manifest.ts";

const app = {
  name: "uwf-acme",
  publicUrl: "https://uwf.example.org",
  redirectUrl: "http://127.0.0.1:3000/setup/created",
};

/** Permissions in repositories that an App can ask for, with the highest level, as GitHub's API describes them. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  actions: ["read", "write"],
  checks: ["read", "write"],
  contents: ["read", "write"],
  issues: ["read", "write"],
  metadata: ["read"],
  pull_requests: ["read", "write"],
  statuses: ["read", "write"],
};

/** Events that an App can ask for. GitHub refuses a manifest with one that no permission covers. */
const COVERED_BY: Readonly<Record<string, readonly string[]>> = {
  issues: ["issues"],
  issue_comment: ["issues"],
  pull_request: ["pull_requests"],
  pull_request_review: ["pull_requests"],
  check_suite: ["checks"],
  check_run: ["checks"],
  status: ["statuses"],
};

describe("the manifest of the App", () => {
  it("asks for permissions that GitHub knows", async () => {
    const { default_permissions } = await appManifest(app);

    for (const [name, level] of Object.entries(default_permissions))
      expect(PERMISSIONS[name], `${name}: ${level}`).toContain(level);
    expect(default_permissions.metadata).toBe("read");
  });

  it("asks for events that GitHub knows and a permission covers", async () => {
    const { default_permissions, default_events } = await appManifest(app);

    expect(new Set(default_events).size).toBe(default_events.length);
    for (const event of default_events) {
      expect(Object.keys(default_permissions), event).toEqual(
        expect.arrayContaining([...(COVERED_BY[event] ?? ["?"])]),
      );
    }
  });

  it("says where webhooks and the person go, and is not for everybody", async () => {
    expect(await appManifest(app)).toMatchObject({
      name: "uwf-acme",
      url: "https://uwf.example.org",
      hook_attributes: { url: "https://uwf.example.org/api/github/webhooks", active: true },
      redirect_url: "http://127.0.0.1:3000/setup/created",
      public: false,
      description: "Turns issues into pull requests.",
    });
  });

  it("gives a reason for every permission and event", async () => {
    const text = await readFile(new URL("../../../../app.yml", import.meta.url), "utf8");
    const lines = text.split("\n");
    const asked = lines.flatMap((line, at) => (/^ {2}(- )?[a-z_]+(: \w+)?$/.test(line) ? [at] : []));

    const { default_permissions, default_events } = parseDocument(text).toJS() as Awaited<
      ReturnType<typeof appManifest>
    >;
    expect(asked).toHaveLength(Object.keys(default_permissions).length + default_events.length);
    for (const at of asked) expect(lines[at - 1], lines[at]).toMatch(/^ {2}# \S/);
  });
});

it("is told in the guide, permission by permission and event by event", async () => {
  const guide = await readFile(new URL("../../../../docs/github.md", import.meta.url), "utf8");
  const { default_permissions, default_events } = await appManifest(app);
  const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
  const permissions = rows.flatMap((row) =>
    [...row.matchAll(/^\| `([a-z_]+: [a-z]+)`/g)].map(([, each]) => each),
  );
  const events = rows.flatMap((row) =>
    /^\| `[a-z_]+`[ ,|]/.test(row)
      ? [...(row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g)].map(([, each]) => each)
      : [],
  );

  expect(permissions.toSorted()).toEqual(
    Object.entries(default_permissions)
      .map(([name, level]) => `${name}: ${level}`)
      .toSorted(),
  );
  expect(events.toSorted()).toEqual(default_events.toSorted());
});

it.each([
  [null, "https://github.com/settings/apps/new?state=a%26b"],
  ["acme", "https://github.com/organizations/acme/settings/apps/new?state=a%26b"],
])("goes to the page that takes the manifest, of %s", (organisation, url) => {
  expect(newAppUrl("https://github.com", { organisation, state: "a&b" })).toBe(url);
});
