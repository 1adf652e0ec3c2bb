import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");

const Package = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
});
const Lockfile = z.object({ lockfileVersion: z.number(), packages: z.record(z.string(), Package) });
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

const lockedIn = async (folder: string) => {
  const { packages } = Lockfile.parse(JSON.parse(await read(join(folder, "package-lock.json"))));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, one]) => ({ ...one, name: path.replace(/^.*node_modules\//, "") }));
};

const folders = [".", "bench", "test/agents"];

/** Licences that ask of nobody who runs or passes on uwf to open sources of their own. */
const FREE =
  /^\(?(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Python-2\.0)\b/;
/** Asks for the sources of its own files alone, and is not part of what runs. */
const FREE_FOR_DEVELOPMENT = /^MPL-2\.0$/;

/** These name theirs as `licenses`, in the form of npm's first years, which lockfiles leave out. */
const NAMED_THE_OLD_WAY = ["buildcheck", "cpu-features", "ssh2"];

const OldManifest = z.object({ licenses: z.tuple([z.object({ type: z.literal("MIT") })]) });

describe("what is installed", () => {
  it.each(folders)("is pinned by the hash of its contents: %s", async (folder) => {
    const locked = await lockedIn(folder);

    expect(locked.length).toBeGreaterThan(5);
    expect(locked.filter(({ integrity = "" }) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
    // Whichever registry is asked, the hash decides.
    expect(locked.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it.each(folders)("runs no script of its own that nobody has looked at: %s", async (folder) => {
    const { allowScripts } = Manifest.parse(JSON.parse(await read(join(folder, "package.json"))));
    const runs = (await lockedIn(folder)).filter(({ hasInstallScript }) => hasInstallScript === true);
    const runsNone = /^ignore-scripts=true$/m.test(await read(join(folder, ".npmrc")));

    const unseen = runs.filter(({ name }) => allowScripts[name] === undefined);

    expect(runsNone ? [] : unseen).toEqual([]);
  });

  it("runs none but the one that brings Node", async () => {
    const { allowScripts } = Manifest.parse(JSON.parse(await read("package.json")));

    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(["node"]);
  });

  it("is what the lockfile says, in CI and in the image", async () => {
    const installs = [await read("Dockerfile"), await read(".ci/run")].flatMap((text) =>
      [...text.matchAll(/^(?!\s*#).*\bnpm (ci|i|install|add|update)\b.*$/gm)].map(([line, verb]) => ({
        line,
        verb,
      })),
    );

    expect(installs.length).toBeGreaterThan(2);
    expect(installs.filter(({ verb }) => verb !== "ci")).toEqual([]);
    expect(await read("Dockerfile")).toMatch(/npm ci .*--ignore-scripts/);
  });

  it("may be used and passed on", async () => {
    const locked = await lockedIn(".");

    for (const name of NAMED_THE_OLD_WAY)
      OldManifest.parse(JSON.parse(await read(join("node_modules", name, "package.json"))));
    const others = locked
      .filter(({ name }) => !NAMED_THE_OLD_WAY.includes(name))
      .filter(
        ({ license = "none", dev }) =>
          !FREE.test(license) && !(dev === true && FREE_FOR_DEVELOPMENT.test(license)),
      );

    expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  });
});

const Bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string(),
      hashes: z.array(z.object({ alg: z.literal("SHA-512"), content: z.string().length(128) })),
      licenses: z.array(z.unknown()).min(1).optional(),
    }),
  ),
});

describe("the bill of materials", () => {
  it("has every package with its version, hash and licence", async () => {
    const made = await promisify(execFile)("npm", ["run", "--silent", "sbom"], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { components } = Bill.parse(JSON.parse(made.stdout));

    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const locked = new Set((await lockedIn(".")).map(({ name, version }) => `${name}@${version}`));
    expect(listed).toEqual(locked);
    const unlicensed = components.filter(({ licenses }) => licenses === undefined).map(({ name }) => name);
    expect(unlicensed.sort()).toEqual(NAMED_THE_OLD_WAY);
    for (const { name, version, purl } of components)
      expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
  });
});
