import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/base/errors.ts";
import type { WorkspaceFiles } from "../../../src/workspace/workspace.ts";
import { workspaceFiles } from "../../../src/workspace/workspace-files.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";

const SECRET = "secret of the host";
const RUNS = 3_000;
/** For a machine that is busy with other things. */
const TIMEOUT_MS = 240_000;

/** One use of the file tools on a way that changes meanwhile; answers all that it was told. */
type Use = { kind: "read" | "write" | "list" | "stat"; path: string };

const paths = fc.constantFrom(
  ...["place/secret", "place/./secret", "place/sub/../secret", "sub/../place/secret", "place/sub/secret"],
  ...["up/place/secret", "place", "place/new", "place/sub/new", "through/secret"],
);
const uses: fc.Arbitrary<Use> = fc.record({
  kind: fc.constantFrom<Use["kind"]>("read", "write", "list", "stat"),
  path: paths,
});

describe("while a directory and a link that leads out are swapped in one place", () => {
  let parent: string;
  let workspace: string;
  let outside: string;
  let worker: Worker;
  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), "uwf-race-"));
    [workspace, outside] = [join(parent, "workspace"), join(parent, "outside")];
    for (const path of [
      outside,
      join(outside, "sub"),
      workspace,
      join(workspace, "sub"),
      join(workspace, "place"),
    ])
      mkdirSync(path);
    mkdirSync(join(workspace, "place", "sub"));
    for (const path of [join(outside, "secret"), join(outside, "sub", "secret")]) writeFileSync(path, SECRET);
    writeFileSync(join(workspace, "place", "secret"), "inside");
    symlinkSync(outside, join(workspace, "link"));
    symlinkSync(".", join(workspace, "up"));
    symlinkSync("place", join(workspace, "through"));
    const [place, kept, link] = ["place", "kept", "link"].map((name) => join(workspace, name));
    worker = new Worker(new URL("../../fixtures/renaming-worker.ts", import.meta.url), {
      workerData: { place, kept, link },
    });
    await once(worker, "message");
  });
  afterEach(async () => {
    worker.postMessage("stop");
    await once(worker, "exit");
    rmSync(parent, { recursive: true });
  });

  /** Whether something out there has changed or come. */
  const isTouched = (): boolean =>
    readFileSync(join(outside, "secret"), "utf8") !== SECRET ||
    readFileSync(join(outside, "sub", "secret"), "utf8") !== SECRET ||
    readdirSync(outside).length !== 2 ||
    readdirSync(join(outside, "sub")).length !== 1;

  it("no use of the file tools gets out", { timeout: TIMEOUT_MS }, async (context) => {
    const files = workspaceFiles(
      { host: await realpath(workspace), names: ["/workspace"] },
      { readOnly: [], owner: null },
    );
    let tried = 0;

    await fc.assert(
      fc.asyncProperty(uses, async (use) => {
        tried++;
        const told = await toldBy(files, use);
        expect(told).not.toContain(SECRET);
        expect(told).not.toContain(`"size":${SECRET.length},`);
        expect(isTouched()).toBe(false);
      }),
      { numRuns: RUNS },
    );
    countAttempts(context, "rename races", tried);
  });

  it("a use that looks first and acts then does get out, so the race is one", async () => {
    let escaped = 0;
    for (let run = 0; run < 20_000 && escaped < 3; run++) {
      const path = join(workspace, "place", "secret");
      try {
        const real = await realpath(path);
        if (!real.startsWith(`${await realpath(workspace)}/`)) continue;
        if ((await readFile(path, "utf8")) === SECRET) escaped++;
        await writeFile(path, "inside");
        if (isTouched()) {
          escaped++;
          writeFileSync(join(outside, "secret"), SECRET);
        }
      } catch (error) {
        if (!isOfTheRace(error)) throw error;
      }
    }
    expect(escaped).toBeGreaterThan(0);
  });
});

/** What it says is no answer to the race: a path that is not there, or leads out, at this moment. */
const toldBy = async (files: WorkspaceFiles, { kind, path }: Use): Promise<string> => {
  try {
    if (kind === "write") await files.write(path, Buffer.from("changed"));
    if (kind === "read") return Buffer.from(await files.read(path)).toString("utf8");
    if (kind === "stat") return JSON.stringify((await files.stat(path)) ?? null);
    return kind === "list" ? JSON.stringify(await files.list(path)) : "";
  } catch (error) {
    if (error instanceof AppError && error.remedy === "fix-input") return "";
    if (isOfTheRace(error)) return "";
    throw error;
  }
};

const isOfTheRace = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP", "EXDEV"].includes((error as NodeJS.ErrnoException).code ?? "");
