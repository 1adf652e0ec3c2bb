import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Begun, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

/** What a role can leave in a workspace so that git, run there, would run a program of its choice. */
const traps = (program: string): readonly (readonly [string, string])[] => [
  [
    "hooks",
    `for h in pre-commit post-checkout post-index-change reference-transaction pre-push post-commit; do cp ${program} .git/hooks/$h 2>/dev/null || { mkdir -p .git/hooks; cp ${program} .git/hooks/$h; }; done`,
  ],
  ["a hooks path", `mkdir h; cp ${program} h/post-index-change; git config core.hooksPath "$PWD/h"`],
  ["a file system monitor", `git config core.fsmonitor ${program}`],
  [
    "a filter",
    `git config filter.x.clean ${program}; git config filter.x.smudge ${program}; git config filter.x.required true; echo '* filter=x' > .gitattributes`,
  ],
  ["a filter process", `git config filter.x.process ${program}; echo '* filter=x' > .gitattributes`],
  [
    "a diff driver",
    `git config diff.x.textconv ${program}; git config diff.external ${program}; echo '* diff=x' > .gitattributes`,
  ],
  [
    "an ssh command and helpers",
    `git config core.sshCommand ${program}; git config credential.helper ${program}; git config core.askPass ${program}`,
  ],
  [
    "an include and an alias",
    `git config alias.ls-files '!${program}'; printf '[core]\\nfsmonitor = ${program}\\n' > inc; git config include.path "$PWD/inc"`,
  ],
  [
    "a nested repository",
    `mkdir n; cd n; git init -q; git config core.fsmonitor ${program}; mkdir -p .git/hooks; cp ${program} .git/hooks/post-index-change; echo 1 > f; git add f`,
  ],
  [
    "a git directory that is a file",
    `rm -rf .git; mkdir g; git init -q g/r; git -C g/r config core.fsmonitor ${program}; echo "gitdir: $PWD/g/r/.git" > .git`,
  ],
  [
    "a git directory that is a link",
    `mv .git real; git --git-dir=real config core.fsmonitor ${program}; ln -s real .git`,
  ],
  [
    "a submodule",
    `printf '[submodule "s"]\\npath = s\\nurl = ext::${program}\\nupdate = !${program}\\n' > .gitmodules; git config submodule.s.update '!${program}'`,
  ],
  ["alternates", `echo "$PWD/objects" > .git/objects/info/alternates`],
  ["no git directory", "rm -rf .git"],
];

describe("a role's repository has no effect on the engine", () => {
  let rig: WorkspaceRig;
  let begun: Begun;
  let proof: string;
  let program: string;
  beforeEach(async () => {
    rig = workspaceRig({ "a.txt": "a\n", "src/b.txt": "b\n" });
    begun = await rig.begin();
    proof = join(rig.source.directory, "ran");
    program = join(rig.source.directory, "trap.sh");
    writeFileSync(program, `#!/bin/sh\necho "$0" >> ${proof}\ncat\n`, { mode: 0o755 });
  });
  afterEach(() => rig.dispose());

  it.each(traps("PROGRAM"))("%s", async (_, script) => {
    await begun.sh(`${script.replaceAll("PROGRAM", program)}`);
    await begun.sh("cd ..; cd workspace; echo changed > a.txt");
    await begun.sh(`rm -f ${proof}`);

    const captured = await rig.capture(begun.thread);
    const { changed } = await rig.push(begun.thread, captured);
    await rig.workspaces.close(begun.thread);
    const next = await rig.begin();

    expect(changed).toBe(true);
    expect(rig.source.show("uwf/issue-1-fix", "a.txt").toString()).toBe("changed\n");
    expect(existsSync(proof)).toBe(false);
    expect((await next.sh("git status --short; cat a.txt")).output).toBe("a\n");
  });

  it("does not write through a directory that became a link", async () => {
    const victim = join(rig.source.directory, "victim");
    mkdirSync(victim);
    writeFileSync(join(victim, "b.txt"), "precious");
    await begun.sh(`rm -r src; ln -s ${victim} src`);

    const captured = await rig.store.load("workspace", await rig.capture(begun.thread));
    await rig.workspaces.close(begun.thread);
    const next = await rig.begin();

    expect(captured.files).toEqual([{ path: "src/b.txt", mode: null, content: null }]);
    expect((await next.sh(`cat src/b.txt ${victim}/b.txt`)).output).toBe("b\nprecious");
  });
});
