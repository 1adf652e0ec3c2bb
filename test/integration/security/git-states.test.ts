import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitRequest, unexamined, type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";
import { countAttempts } from "../../rigs/count-attempts.ts";
import { type GitState, gitStates, PUBLISH } from "./git/states.ts";
import { treeOnDisk } from "./git/tree-on-disk.ts";

const PLAIN_MS = 20_000;
const SECRET = "secret-4711";

describe("what a role leaves in its workspace", () => {
  let rig: WorkspaceRig;
  let at: { outside: string; program: string; proof: string; remote: string; home: string };
  beforeAll(() => {
    rig = workspaceRig({ "a.txt": "a\n", "b.txt": "b\n", "src/c.txt": "c\n" });
    rig.source.commit({ "a.txt": "aa\n" });
    const [outside, remote, home] = ["outside", "remote.git", "home"].map((name) =>
      join(rig.source.directory, name),
    );
    if (outside === undefined || remote === undefined || home === undefined) throw new Error("no place");
    at = { outside, remote, home, program: join(outside, "program"), proof: join(outside, "proof") };
    mkdirSync(join(outside, "private"), { recursive: true });
    mkdirSync(home);
    writeFileSync(join(outside, "secret"), SECRET);
    writeFileSync(at.program, `#!/bin/sh\necho "$0 $*" >> ${at.proof}\ncat < /dev/null\n`, { mode: 0o755 });
    execFileSync("git", ["clone", "--quiet", "--bare", rig.source.repository, remote]);
    const secret =
      "git init -q; cp ../secret .; git add .; git -c user.name=x -c user.email=x@y commit -qm x";
    execFileSync("bash", ["-c", secret], { cwd: join(outside, "private") });
  });
  afterAll(() => rig.dispose());

  const environment = () => ({
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: at.home,
    P: at.program,
    S: at.outside,
    R: at.remote,
  });
  const listed = (branch: string): string[] =>
    execFileSync("git", ["ls-tree", "-r", "-z", branch], { cwd: at.remote })
      .toString("utf8")
      .split("\0")
      .filter((line) => line !== "")
      .sort();

  /** What plain git does in a copy of the workspace. */
  const plainly = (directory: string, { plain = PUBLISH }: GitState) => {
    const copy = join(rig.source.directory, "copy", "workspace");
    rmSync(join(rig.source.directory, "copy"), { recursive: true, force: true });
    mkdirSync(join(rig.source.directory, "copy"));
    execFileSync("cp", ["-a", directory, copy]);
    const options = { cwd: copy, env: environment(), timeout: PLAIN_MS, killSignal: "SIGKILL" } as const;
    const { status } = spawnSync("timeout", ["-s", "KILL", "5", "bash", "-c", plain], options);
    const ran = existsSync(at.proof);
    rmSync(at.proof, { force: true });
    return { status, ran };
  };

  it("is refused, and said which file it is, where it would fill the disk", async (context) => {
    countAttempts(context, "git states left by a role");
    const begun = await rig.begin();
    await begun.sh("truncate -s 1T huge; echo changed > a.txt");

    await expect(rig.capture(begun.thread)).rejects.toMatchObject({
      code: "file-too-large",
      remedy: "fix-input",
      message: expect.stringContaining("huge"),
    });
  });

  it.for(gitStates.map((state) => [state.name, state] as const))(
    "is published as it is, and nothing of it runs: %s",
    async ([, state], context) => {
      countAttempts(context, "git states left by a role");
      const begun = await rig.begin();
      const { directory } = begun.workspace;
      await begun.sh("echo changed > a.txt");
      const left = spawnSync("bash", ["-c", state.leave], { cwd: directory, env: environment() });
      rmSync(at.proof, { force: true });
      const there = treeOnDisk(directory, { leftOut: state.leftOut ?? [] });
      const plain = plainly(directory, state);

      const captured = await rig.capture(begun.thread);
      const branch = `uwf/${begun.thread.toLowerCase()}`;
      const commit = { ...commitRequest, branch };
      const remote = { url: at.remote, token: null };
      await rig.workspaces.push(begun.thread, captured, commit, remote, unexamined);
      await rig.workspaces.close(begun.thread);
      const next = await rig.begin();

      expect(left.status, left.stderr.toString()).toBe(0);
      expect(existsSync(at.proof)).toBe(false);
      expect(listed(branch)).toEqual(there);
      expect(there.join("\n")).not.toContain(SECRET);
      expect((await next.sh("git status --short --ignored; cat a.txt; ls")).output).toBe(
        "aa\na.txt\nb.txt\nsrc\n",
      );
      await rig.workspaces.close(next.thread);
      // Plain git does fall for it: otherwise this would show nothing.
      const isPublished = state.plain === undefined || state.plain.includes("git push");
      if (state.falls === "runs") expect(plain.ran).toBe(true);
      else if (state.falls === "fails") expect(plain.status).not.toBe(0);
      else if (!isPublished) expect(plain.status).toBe(0);
      else expect(plain.status === 0 ? listed("plain") : []).not.toEqual(there);
    },
  );
});
