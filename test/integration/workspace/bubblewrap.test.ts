import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapSandbox } from "../../../src/workspace/sandbox/bubblewrap-sandbox.ts";
import { sandboxRig } from "../../contracts/sandbox.contract.ts";
import { bubblewrapIsHere } from "../../fixtures/bubblewrap.ts";
import { type WorkspaceRig, workspaceRig } from "../../fixtures/workspace-rig.ts";

const LIMITS = { memoryMb: 512, processes: 40 };

/** Empty for a process that is gone. */
const argumentsOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

const FORK_UNTIL_REFUSED = `
import os, time
for count in range(200):
  try:
    if os.fork() == 0: time.sleep(30); os._exit(0)
  except BlockingIOError: break
print(count)`;

describe.skipIf(!bubblewrapIsHere())("a command under bubblewrap", () => {
  const sandbox = bubblewrapSandbox(LIMITS);
  let rig: Awaited<ReturnType<typeof sandboxRig>>;
  beforeEach(async () => {
    rig = await sandboxRig(sandbox);
  });
  afterEach(() => rig.dispose());

  it("sees no file of the host but the system's programs", async () => {
    const secret = join(mkdtempSync(join(tmpdir(), "uwf-secret-")), "secret");
    writeFileSync(secret, "secret", { mode: 0o644 });

    const { output } = await rig.run(
      `cat ${secret} /etc/shadow /etc/gitconfig ${homedir()}/.bashrc /proc/1/root${secret} 2>&1 | grep -v -e 'No such file' -e 'Permission denied'; ls /home /root /var/lib /run /sys /mnt /boot 2>/dev/null; cat /etc/passwd | wc -l`,
    );

    expect(output).toBe("/home:\nuwf\n\n/run:\n3\n");
    rmSync(join(secret, ".."), { recursive: true });
  });

  it("sees no process and no environment of the host", async () => {
    const { output } = await rig.run(
      "ls /proc | grep -cE '^[0-9]+$'; tr '\\0' '\\n' < /proc/1/environ | grep -v -e ^PATH= -e ^PWD=/$",
    );

    expect(Number(output.split("\n")[0])).toBeLessThan(8);
    expect(output.split("\n").slice(1)).toEqual([""]);
  });

  it("is given variables that no list of arguments on the machine shows", async () => {
    const key = `key-${randomUUID()}`;
    const shown = () =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .filter((pid) => argumentsOf(pid).includes(key));

    const running = rig.run('printf %s "$KEY" > began; sleep 1; cat /proc/1/cmdline; printf %s "$KEY"', {
      env: { KEY: key },
    });
    await expect.poll(() => existsSync(join(rig.directory, "began")), { interval: 10 }).toBe(true);

    expect(shown()).toEqual([]);
    const { output } = await running;
    expect(output.split(key)).toHaveLength(2);
    expect(output.endsWith(key)).toBe(true);
  });

  it("writes nowhere but in its workspace and in sized memory", async () => {
    const { output } = await rig.run(
      "for f in /x /usr/x /etc/x /dev/x /proc/sys/kernel/hostname /opt/x; do (echo 1 > $f) 2>/dev/null && echo wrote $f; done; touch here /tmp/x ~/x /dev/shm/x && echo fine; df --output=size -BM /tmp ~ /dev/shm | sort -u",
    );

    expect(output).toContain("fine\n");
    expect(output).not.toContain("wrote");
    expect(output).toMatch(/1024M/);
    expect(existsSync(join(rig.directory, "here"))).toBe(true);
  });

  it("has no capability, no new privileges and no further user namespace", async () => {
    const { output } = await rig.run(
      "grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp:' /proc/self/status; unshare -U true 2>/dev/null && echo unshared; id -u; find / -xdev -perm -4000 -exec {} \\; 2>/dev/null | head -1; mount -t tmpfs x /tmp 2>/dev/null && echo mounted",
    );

    expect(output.replaceAll("\t", "")).toBe(
      `${["CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}:0000000000000000`).join("\n")}\nNoNewPrivs:1\nSeccomp:2\n1000\n`,
    );
  });

  it("cannot signal or trace a process of the host", async () => {
    const { output } = await rig.run(
      `kill -0 ${process.pid} 2>/dev/null && echo signalled; kill -0 1 && echo own`,
    );

    expect(output).toBe("own\n");
  });

  it("has a loopback of its own and no other network", async () => {
    const server = createServer((socket) => socket.end("host"));
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    try {
      const { output } = await rig.run(
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached; grep -c : /proc/net/dev; (exec 3<>/dev/udp/8.8.8.8/53) 2>&1 | grep -om1 unreachable | head -1`,
      );
      expect(output).toBe("1\nunreachable\n");
    } finally {
      server.close();
    }
  });

  it("is refused dangerous system calls and address families", async () => {
    const { output } = await rig.run(
      "python3 -c 'import socket\nfor f in (38, 40):\n  try: socket.socket(f, 1); print(f)\n  except OSError as e: print(e.errno)'; node -e 'console.log(require(\"net\").isIP(\"::1\"))'",
    );

    expect(output).toBe("97\n97\n6\n");
  });

  it("cannot have more processes, memory or file size than it may", async () => {
    const forks = await rig.run("", { argv: ["python3", "-c", FORK_UNTIL_REFUSED] });
    const memory = await rig.run(
      "node -e 'const a=[]; for(;;) a.push(Buffer.alloc(3e7, 1))' 2>&1 | tail -1; echo after",
    );

    expect(Number(forks.output)).toBeGreaterThan(10);
    expect(Number(forks.output)).toBeLessThan(40);
    expect(memory).toMatchObject({ timedOut: false, output: expect.stringContaining("after\n") });
  });

  it("says what to install when bubblewrap is missing", async () => {
    const elsewhere = bubblewrapSandbox({ ...LIMITS, path: "/nonexistent" });

    await expect(elsewhere.check()).rejects.toMatchObject({
      code: "sandbox-unavailable",
      remedy: "fix-config",
      hint: expect.stringContaining("bubblewrap"),
    });
  });
});

describe.skipIf(!bubblewrapIsHere())("a workspace under bubblewrap", () => {
  let rig: WorkspaceRig;
  beforeAll(() => {
    rig = workspaceRig(
      { "a.txt": "a\n", "src/b.txt": "b\n" },
      { sandbox: bubblewrapSandbox({ ...LIMITS, processes: 256 }) },
    );
  });
  afterAll(() => rig.dispose());

  it("is at /workspace, and its commands own its files", async () => {
    const { workspace, sh } = await rig.begin();
    mkdirSync(rig.root, { recursive: true });

    await workspace.files.write("new/dir/x.txt", Buffer.from("x\n"));
    const { output, exitCode } = await sh(
      "pwd; echo more >> new/dir/x.txt && echo more >> a.txt && rm src/b.txt && touch src/c && mv new moved; git status --short; git log --format=%s; git commit -qam 'A commit' && git log --format=%s | head -1",
    );

    expect(output).toBe("/workspace\n M a.txt\n D src/b.txt\n?? moved/\n?? src/c\nBegin\nA commit\n");
    expect(exitCode).toBe(0);
  });

  it("is captured, pushed, and reused", async () => {
    const { thread, sh } = await rig.begin();
    await sh("echo more >> a.txt; mkdir locked; echo 1 > locked/f; chmod 700 locked; chmod 600 locked/f");

    const captured = await rig.capture(thread);
    const { changed } = await rig.push(thread, captured);
    await rig.workspaces.close(thread);
    const next = await rig.begin();

    expect(changed).toBe(true);
    expect(rig.source.git("diff", "--name-status", "main", "uwf/issue-1-fix")).toBe("M\ta.txt\nA\tlocked/f");
    expect((await next.sh("git status --short; ls; touch a.txt src/new")).output).toBe("a.txt\nsrc\n");
  });

  it("shows the mirror to read alone, and not the engine's git directory", async () => {
    const { sh, thread } = await rig.begin();

    const { output } = await sh(
      `objects=$(cat .git/objects/info/alternates); touch $objects/x 2>&1 | grep -o 'Read-only'; ls $objects/..; ls ${rig.root}/workspaces/${thread} 2>&1 | grep -o 'No such file'`,
    );

    expect(output).toBe("Read-only\nobjects\nNo such file\n");
  });
});
