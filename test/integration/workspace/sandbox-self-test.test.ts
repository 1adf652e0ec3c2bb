import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { workspaceRig } from "../../fixtures/workspace-rig.ts";
import { type Weakening, weakenedBubblewrap } from "../../rigs/weakened-bubblewrap.ts";

const LIMITS = { memoryMb: 512, processes: 40 };

const NAMESPACES = ["user", "ipc", "pid", "net", "uts", "cgroup"];
const without = (name: string): string =>
  `--unshare-all) args+=(${NAMESPACES.filter((each) => each !== name)
    .map((each) => `--unshare-${each}`)
    .join(" ")}) ;;`;

/** What is done to the sandbox, and what the self-test has to say of it. */
const weakenings: readonly (Weakening & { name: string; found: RegExp })[] = [
  { name: "the host's network", args: without("net"), found: /shares the network with the host/ },
  { name: "the host's shared memory", args: without("ipc"), found: /shares the shared memory with the host/ },
  { name: "the host's control groups", args: without("cgroup"), found: /shares the control groups/ },
  {
    name: "the host's name",
    args: `${without("uts")} --hostname) shift ;;`,
    found: /shares the host name with the host; .*shows the host's name/,
  },
  {
    name: "the host's processes",
    args: `${without("pid")} --proc) args+=(--ro-bind /proc "$2"); shift ;;`,
    found: /shares the processes with the host/,
  },
  {
    name: "capabilities",
    args: '--cap-drop) args+=(--cap-add "$2"); shift ;;',
    found: /commands have capabilities/,
  },
  { name: "no filter of system calls", args: "--seccomp) shift ;;", found: /no filter refuses system calls/ },
  {
    name: "user namespaces",
    args: "--seccomp) shift ;; --disable-userns) ;;",
    found: /commands can make user namespaces/,
  },
  { name: "another user", args: "--uid) args+=(--uid 0); shift ;;", found: /commands run as user 0/ },
  {
    name: "a root that can be written",
    args: '--remount-ro) if [ "$2" != / ]; then args+=(--remount-ro "$2"); fi; shift ;;',
    found: /it can write \//,
  },
  {
    name: "a directory that can be written",
    args: "--proc) args+=(--bind /var/tmp /srv --proc) ;;",
    found: /it can write \/srv/,
  },
  {
    name: "the host's temporary files",
    args: '--chdir) args+=(--ro-bind /tmp /tmp --chdir "$2"); shift ;;',
    found: /it shows a file of the host/,
  },
  {
    name: "the host's accounts",
    args: '--perms) if [ "$3 $5" = "--file /etc/passwd" ]; then args+=(--ro-bind /etc/passwd /etc/passwd); shift 4; else args+=(--perms); fi ;;',
    found: /it shows the accounts of the host/,
  },
  {
    name: "the host's devices",
    args: '--dev) args+=(--dev-bind /dev "$2"); shift ;; --remount-ro) if [ "$2" != /dev ]; then args+=(--remount-ro "$2"); fi; shift ;;',
    found: /it has devices: /,
  },
  {
    name: "the environment",
    before: "export AWS_SECRET_ACCESS_KEY=visible",
    args: "--clearenv) ;;",
    found: /it shows the environment: AWS_SECRET_ACCESS_KEY/,
  },
  {
    name: "the environment of the first process",
    before: "export AWS_SECRET_ACCESS_KEY=visible",
    found: /it shows the environment: AWS_SECRET_ACCESS_KEY/,
  },
  { name: "a directory that is open", before: "exec 40</", found: /files that the engine has open/ },
  {
    name: "no limits",
    args: '--) args+=(--); shift 5; args+=("$@"); break ;;',
    found: /any number of processes; commands may take any amount of memory/,
  },
];

describe.skipIf(!bubblewrapIsHere())("the self-test of a sandbox", () => {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const each of undo.splice(0)) each();
  });
  const weakened = (weakening: Weakening, { path = "", hidden = [] as string[] } = {}) => {
    const weak = weakenedBubblewrap(weakening);
    undo.push(weak.dispose);
    return bubblewrapSandbox({ ...LIMITS, path: `${weak.path}:${path}`, hidden });
  };

  it("has no complaint about a bubblewrap that does as it is told", async () => {
    await expect(weakened({}).check()).resolves.toEqual(expect.any(Array));
  });

  it.each(weakenings)("finds $name", async ({ found, ...weakening }) => {
    await expect(weakened(weakening).check()).rejects.toMatchObject({
      code: "sandbox-unavailable",
      remedy: "fix-config",
      message: expect.stringMatching(found),
      hint: expect.stringContaining("bubblewrap"),
    });
  });

  it("finds a storage root that is shown", async () => {
    const directory = mkdtempSync(join(tmpdir(), "uwf-prefix-"));
    undo.push(() => rmSync(directory, { recursive: true }));
    chmodSync(directory, 0o755);
    const [bin, root] = [join(directory, "bin"), join(directory, "storage")];
    for (const each of [bin, root]) mkdirSync(each);
    for (const file of [join(bin, "node"), join(bin, "npm")]) writeFileSync(file, "", { mode: 0o755 });
    writeFileSync(join(root, "uwf.db"), "");
    const show = `--chdir) args+=(--ro-bind /usr ${root} --chdir "$2"); shift ;;`;
    const options = { path: bin, hidden: [root] };

    await expect(weakened({}, options).check()).resolves.toEqual(expect.any(Array));
    await expect(weakened({ args: show }, options).check()).rejects.toThrow(/shows what is hidden: bin/);
  });

  it.skipIf(process.geteuid?.() !== 0)("finds the rights of root (needs to be root)", async () => {
    const keepsUser = 'mount=$1; while [ "$1" != -- ]; do shift; done; exec /usr/bin/nsenter "$mount" "$@"';

    await expect(weakened({ nsenter: `#!/bin/sh\n${keepsUser}\n` }).check()).rejects.toThrow(
      /rights of the host's user 0/,
    );
  });

  it("is made with a thread's own directories before its first command", async () => {
    const args = `--chdir) if [[ " \${args[*]} " == *" /workspace "* ]]; then args+=(--ro-bind /tmp /tmp); fi; args+=(--chdir) ;;`;
    const sandbox = weakened({ args });
    const rig = workspaceRig({ "a.txt": "a\n" }, { sandbox });
    undo.push(() => void rig.dispose());
    const { sh } = await rig.begin();

    await expect(sandbox.check()).resolves.toEqual(expect.any(Array));
    await expect(sh("touch ran")).rejects.toMatchObject({
      code: "sandbox-unavailable",
      message: expect.stringContaining("it shows a file of the host"),
    });
  });
});
