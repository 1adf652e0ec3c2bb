import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Begun, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

/** Deeper than a path can be long. */
const DEEP = `name=$(printf 'd%.0s' $(seq 200)); for i in $(seq 40); do mkdir $name; cd -P $name; done; echo deep > f`;

describe("a tree that a role left", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  beforeEach(async () => {
    rig = workspaceRig({ "a.txt": "a\n", "src/b.txt": "same\n", "src/c.txt": "same\n" });
    begun = await rig.begin();
  });
  afterEach(() => rig.dispose());

  const filesKept = async () =>
    (await rig.store.load("workspace", await rig.capture(begun.thread))).files.map(({ path }) => path);
  const nextSees = async (script: string) => {
    await rig.workspaces.close(begun.thread);
    return (await (await rig.begin()).sh(script)).output;
  };

  it("says so when it has more links than can be looked at", async () => {
    const links = `require("node:fs"); for (let i = 0; i < 30000; i++) fs.symlinkSync("x", "l" + i)`;
    const deep = "name=$(printf 'd%.0s' $(seq 240)); for i in $(seq 12); do mkdir $name; cd -P $name; done";
    const { exitCode } = await begun.sh(
      `echo 'd*/' > .gitignore; ${deep}; '${process.execPath}' -e '${links}'`,
    );

    expect(exitCode).toBe(0);
    await expect(rig.capture(begun.thread)).rejects.toMatchObject({
      code: "capture-too-large",
      remedy: "fix-input",
    });
  }, 30_000);

  it.each([
    ["its ignore rules", "mkfifo .gitignore"],
    ["a folder's ignore rules", "mkfifo src/.gitignore"],
    ["its attributes", "mkfifo .gitattributes; touch a.txt"],
    ["a nested repository's HEAD", "mkdir -p n/.git/objects n/.git/refs; mkfifo n/.git/HEAD; echo 1 > n/f"],
    ["a nested repository's settings", "git init -q n; mkfifo n/.git/commondir; echo 1 > n/f"],
  ])(
    "does not keep the engine waiting with a pipe for %s",
    async (_, script) => {
      await begun.sh(`${script}; echo 1 > new`);

      expect(await filesKept()).toContain("new");
      expect(await nextSees("git status --short; ls")).toBe("a.txt\nsrc\n");
    },
    20_000,
  );

  it.each([
    ["endless settings", "git init -q n; ln -s /dev/zero n/.git/commondir"],
    [
      "endless settings elsewhere",
      "git init -q r; mkdir n; mv r/.git n/x; rm -r r; ln -s /dev/zero n/x/commondir; ln -s x n/.git",
    ],
    [
      "settings behind a file",
      "mkdir n .git/m; echo 'gitdir: ../.git/m' > n/.git; mkdir .git/m/objects .git/m/refs; mkfifo .git/m/HEAD",
    ],
  ])(
    "is read without a look into a nested repository with %s, which stays as it is",
    async (_, script) => {
      const before = (await begun.sh(`${script}; echo 1 > n/f; ls -lR n .git/m`)).output;

      expect(await filesKept()).toContain("n/f");
      expect((await begun.sh("ls -lR n .git/m")).output).toBe(before);
      expect(await nextSees("git status --short; ls")).toBe("a.txt\nsrc\n");
    },
    20_000,
  );

  it("is closed to other users, whatever modes the storage root has", async () => {
    const modes = ["mirrors", "workspaces"].map((name) => statSync(join(rig.root, name)).mode & 0o077);

    expect(modes).toEqual([0, 0]);
  });

  it("is not reused while a pipe in it would keep the engine waiting", async () => {
    await begun.sh("mkfifo .gitattributes src/.gitattributes; echo more >> a.txt");

    expect(await nextSees("git status --short; cat a.txt")).toBe("a\n");
  }, 20_000);

  it.each([".gitignore", "src/.gitattributes", "src/.gitignore"])(
    "is refused when %s is too large to read",
    async (path) => {
      await begun.sh(`git init -q n; truncate -s 2G ${path}; echo more >> a.txt`);

      await expect(rig.capture(begun.thread)).rejects.toMatchObject({
        code: "file-too-large",
        remedy: "fix-input",
        message: expect.stringContaining(path),
      });
    },
  );

  it("leaves the next thread no closed, linked or privileged file", async () => {
    await begun.sh(
      "chmod 000 a.txt; ln -f src/b.txt src/c.txt; mkdir -p src/deep; chmod 2777 src; chmod 000 src/deep",
    );

    const seen = await nextSees("stat -c '%n %h %A' a.txt src src/*; cat a.txt; git status --short");

    expect(seen).toBe(
      "a.txt 1 -rw-r--r--\nsrc 2 drwxr-xr-x\nsrc/b.txt 1 -rw-r--r--\nsrc/c.txt 1 -rw-r--r--\na\n",
    );
  });

  it.each([
    ["beside it", "mv src d; ln -s d src"],
    ["that is ignored", "echo src > .gitignore; mv src d; ln -s d src"],
    ["in the role's repository", "mv src .git/d; ln -s .git/d src"],
  ])(
    "is captured and reused whole after a folder was moved to a place %s and a link put there",
    async (_, script) => {
      await begun.sh(script);

      expect(await filesKept()).toEqual(expect.arrayContaining(["src/b.txt", "src/c.txt"]));
      expect(await nextSees("git status --short; ls -F; cat src/*")).toBe("a.txt\nsrc/\nsame\nsame\n");
    },
  );

  it("is restored whole after a folder was moved and a link put there", async () => {
    const captured = await rig.capture(begun.thread);
    await begun.sh("echo src >> .git/info/exclude; mv src d; ln -s d src");

    await rig.workspaces.restore(begun.thread, captured);

    expect((await begun.sh("ls -F; cat src/*")).output).toBe("a.txt\nsrc/\nsame\nsame\n");
  });

  it("may be deeper than any path: what can be named is kept, and all is removed", async () => {
    await begun.sh(`echo 1 > new; (${DEEP}); git init -q n; cd n; echo 1 > f; (${DEEP})`);

    expect(await filesKept()).toEqual(["n/f", "new"]);
    expect(await nextSees("git status --short; ls")).toBe("a.txt\nsrc\n");
  });
});
