import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addToEnvFile, checkEnvFile, envWith } from "../../../src/config/env-file.ts";

let parent: string;
let root: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "uwf-env-"));
  root = join(parent, "root");
});
afterEach(() => rm(parent, { recursive: true }));

describe("addToEnvFile", () => {
  it("makes the file for its owner alone, in a root for its owner alone", async () => {
    const path = await addToEnvFile(root, { A: "1" });

    expect(path).toBe(join(root, ".env"));
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(root)).mode & 0o777).toString(8)).toBe("700");
    expect(await readdir(root)).toEqual([".env"]);
  });

  it("keeps other lines, comments and blank lines, and replaces what sets the same variable", async () => {
    await mkdir(root);
    await writeFile(join(root, ".env"), "# mine\nK=k\n\nAPP=\nexport B=2\nC=4\n", { mode: 0o644 });

    await addToEnvFile(root, { APP: "7", B: "3" });

    expect(await readFile(join(root, ".env"), "utf8")).toBe("# mine\nK=k\n\nC=4\nAPP=7\nB=3\n");
    expect(((await stat(join(root, ".env"))).mode & 0o777).toString(8)).toBe("600");
  });

  it("says which directory it may not write", async () => {
    await writeFile(root, "a file where a directory has to be");
    const refusal = {
      code: "config-unwritable",
      remedy: "fix-config",
      message: `the storage root ${root} cannot be written: a file stands where a directory has to be`,
    };

    await expect(addToEnvFile(root, { A: "1" })).rejects.toMatchObject(refusal);
    await expect(checkEnvFile(root)).rejects.toMatchObject(refusal);
  });
});

it("looks whether the file could be written, and leaves nothing behind", async () => {
  await checkEnvFile(root);

  expect(await readdir(root)).toEqual([]);
});

describe("envWith", () => {
  it("writes a private key so that it is read back as it was", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

    const text = envWith("A=1\n", { KEY: pem });

    expect(text.split("\n")).toHaveLength(3);
    expect(parseEnv(text)).toEqual({ A: "1", KEY: pem });
  });

  it("reads back whatever it writes, beside whatever was there, or refuses", () => {
    const line = fc.constantFrom("", "# a", "B=2", "C='three lines\nof\nit'", 'D="x"', "KEY=old", "KEY=");
    fc.assert(
      fc.property(fc.array(line), fc.string({ maxLength: 40 }), (lines, value) => {
        let text: string;
        try {
          text = envWith(lines.join("\n"), { KEY: value });
        } catch {
          // What no quote can hold is refused: nothing is written then.
          return;
        }
        expect(parseEnv(text).KEY).toBe(value);
        for (const name of ["B", "C", "D"])
          expect(parseEnv(text)[name]).toBe(parseEnv(lines.join("\n"))[name]);
      }),
    );
  });
});
