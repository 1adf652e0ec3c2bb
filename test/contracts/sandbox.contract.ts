import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { giveTo } from "../../src/workspace/checkout.ts";
import type { Sandbox, SandboxCommand } from "../../src/workspace/sandbox/sandbox.ts";

/** A directory that commands may write, and a way to run them in it. */
export type SandboxRig = {
  /** On the host. */
  directory: string;
  run(script: string, change?: Partial<SandboxCommand>): ReturnType<Sandbox["run"]>;
};

export const sandboxRig = async (sandbox: Sandbox): Promise<SandboxRig & { dispose(): void }> => {
  const parent = mkdtempSync(join(tmpdir(), "uwf-sandbox-"));
  const directory = join(parent, "workspace");
  mkdirSync(directory);
  await giveTo(sandbox.owner, directory);
  const target = sandbox.insidePath(directory);
  return {
    directory,
    run: (script, change = {}) =>
      sandbox.run({
        argv: ["bash", "-c", script],
        cwd: target,
        env: {},
        mounts: [{ source: directory, target, writable: true }],
        timeoutMs: 20_000,
        maxOutputBytes: 20_000,
        signal: new AbortController().signal,
        ...change,
      }),
    dispose: () => rmSync(parent, { recursive: true, force: true }),
  };
};

/** What every sandbox must do. */
export const sandboxContract = (name: string, sandbox: Sandbox, { skip }: { skip: boolean }): void => {
  describe.skipIf(skip)(`${name} keeps the sandbox's contract`, () => {
    let rig: Awaited<ReturnType<typeof sandboxRig>>;
    beforeEach(async () => {
      rig = await sandboxRig(sandbox);
    });
    afterEach(() => rig.dispose());

    /** Writes to `file` in the background for as long as it lives. */
    const beat = (file: string): string => `while :; do date +%s%N > ${file}; sleep 0.02; done`;
    const isStill = async (file: string): Promise<boolean> => {
      const path = join(rig.directory, file);
      const before = existsSync(path) ? readFileSync(path, "utf8") : "";
      await pause(200);
      return (existsSync(path) ? readFileSync(path, "utf8") : "") === before;
    };

    it("is usable", async () => {
      await expect(sandbox.check()).resolves.toEqual(expect.any(Array));
    });

    it("answers the exit code and both streams in order", async () => {
      const result = await rig.run("echo 1; echo 2 >&2; echo 3; echo 4 >&2; exit 7");

      expect(result).toMatchObject({ exitCode: 7, timedOut: false, output: "1\n2\n3\n4\n", omittedBytes: 0 });
    });

    it("runs in the directory, whose files it shares with the host", async () => {
      writeFileSync(join(rig.directory, "in.txt"), "from the host");

      const { output } = await rig.run("cat in.txt; echo from inside > out.txt; pwd");

      expect(output).toBe(`from the host${sandbox.insidePath(rig.directory)}\n`);
      expect(readFileSync(join(rig.directory, "out.txt"), "utf8")).toBe("from inside\n");
    });

    it("shows the directory that is there now, not one that was there for an earlier command", async () => {
      const show = async (): Promise<string> => (await rig.run("ls; touch ours")).output;

      writeFileSync(join(rig.directory, "first"), "");
      expect(await show()).toBe("first\n");
      rmSync(rig.directory, { recursive: true });
      mkdirSync(rig.directory);
      await giveTo(sandbox.owner, rig.directory);
      writeFileSync(join(rig.directory, "second"), "");

      expect(await show()).toBe("second\n");
      expect(existsSync(join(rig.directory, "ours"))).toBe(true);
    });

    it("takes directories whatever their names", async () => {
      const source = join(rig.directory, "a b\t\\040\n#'\"$(id)\u2028é");
      mkdirSync(source);
      writeFileSync(join(source, "in.txt"), "found");
      await giveTo(sandbox.owner, source);
      const target = sandbox.insidePath(source);

      const { output } = await rig.run("cat in.txt", {
        cwd: target,
        mounts: [{ source, target, writable: true }],
      });

      expect(output).toBe("found");
    });

    it("takes arguments as they are, and closes standard input unless it is given", async () => {
      const strange = "a b'\"$(id)\n*";

      expect((await rig.run("", { argv: ["printf", "%s|", strange, ""] })).output).toBe(`${strange}||`);
      expect((await rig.run("cat; echo end")).output).toBe("end\n");
      expect((await rig.run("cat", { stdin: "given" })).output).toBe("given");
    });

    it("lets a program answer what it is told while it runs", async () => {
      const stdin = new PassThrough();
      const heard: string[] = [];
      const talk = (piece: string): void => {
        heard.push(piece);
        if (heard.length < 3) stdin.write(`${heard.length}\n`);
        else stdin.end();
      };

      const running = rig.run('while read -r line; do echo "got $line"; done; echo over', {
        stdin,
        onOutput: talk,
      });
      stdin.write("0\n");

      expect((await running).output).toBe("got 0\ngot 1\ngot 2\nover\n");
      expect(heard.slice(0, 3)).toEqual(["got 0\n", "got 1\n", "got 2\n"]);
    });

    it("gives no more environment than it is told, beside search path, home and temporary directory", async () => {
      const { output } = await rig.run("env", { env: { GIVEN: "yes", PATH: "/usr/bin:/bin" } });

      const names = output.split("\n").map((line) => line.split("=")[0]);
      expect(output).toContain("GIVEN=yes\n");
      expect(output).toContain("PATH=/usr/bin:/bin\n");
      expect(names).not.toContain("VITEST");
      expect(names.some((each) => each?.startsWith("npm_"))).toBe(false);
    });

    it("says that a program is missing, as shells do", async () => {
      const result = await rig.run("", { argv: ["no-such-program"] });

      expect(result).toMatchObject({ exitCode: 127, output: expect.stringContaining("no-such-program") });
    });

    it("reports a signal as shells do", async () => {
      expect((await rig.run("kill -9 $$")).exitCode).toBe(137);
    });

    it("keeps head and tail of long output and counts the rest", async () => {
      const result = await rig.run("echo first; seq 100000; echo last", { maxOutputBytes: 1000 });

      expect(result.output).toMatch(/^first\n1\n[\s\S]*\n\[… \d+ bytes left out …\]\n[\s\S]*100000\nlast\n$/);
      expect(result.omittedBytes).toBeGreaterThan(500_000);
      expect(result.output.length).toBeLessThan(1100);
    });

    it("shows output as it comes", async () => {
      const chunks: string[] = [];

      await rig.run("echo one; sleep 0.2; echo two", { onOutput: (chunk) => chunks.push(chunk) });

      expect(chunks).toEqual(["one\n", "two\n"]);
    });

    it("ends a command and its children on time-out, and keeps what they said", async () => {
      const result = await rig.run(`echo begun; (${beat("child")}) & trap '' TERM INT HUP; ${beat("own")}`, {
        timeoutMs: 700,
      });

      expect(result).toMatchObject({ exitCode: null, timedOut: true, output: "begun\n" });
      expect(await isStill("child")).toBe(true);
      expect(await isStill("own")).toBe(true);
    });

    it("ends a command at once when it is cancelled", async () => {
      const controller = new AbortController();
      const running = rig.run(`${beat("own")}`, { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("cancelled by a person")), 300);

      await expect(running).rejects.toThrow("cancelled by a person");
      expect(await isStill("own")).toBe(true);
    });

    it("starts nothing when it is cancelled already", async () => {
      const signal = AbortSignal.abort(new Error("too late"));

      await expect(rig.run("touch started", { signal })).rejects.toThrow("too late");
      expect(existsSync(join(rig.directory, "started"))).toBe(false);
    });

    it.each([
      ["in the background", (script: string) => `(${script}) &`],
      ["with its output closed", (script: string) => `(${script}) >/dev/null 2>&1 </dev/null &`],
      [
        "in a session of its own",
        (script: string) => `setsid bash -c '${script}' >/dev/null 2>&1 </dev/null &`,
      ],
      [
        "as a daemon",
        (script: string) => `(setsid nohup bash -c '(${script}) &' >/dev/null 2>&1 </dev/null &)`,
      ],
    ])("leaves no process behind: %s", async (_, detach) => {
      const result = await rig.run(`${detach(beat("child"))}\nsleep 0.2; echo done`);

      expect(result).toMatchObject({
        exitCode: 0,
        timedOut: false,
        output: expect.stringContaining("done\n"),
      });
      expect(existsSync(join(rig.directory, "child"))).toBe(true);
      expect(await isStill("child")).toBe(true);
    });

    it("survives a flood of output", async () => {
      const result = await rig.run("yes", { timeoutMs: 500, maxOutputBytes: 1000 });

      expect(result).toMatchObject({ timedOut: true });
      expect(result.output.length).toBeLessThan(1100);
    });

    it("runs several commands at once", async () => {
      const results = await Promise.all(
        ["a", "b", "c", "d"].map((each) => rig.run(`sleep 0.1; echo ${each}`)),
      );

      expect(results.map(({ output }) => output)).toEqual(["a\n", "b\n", "c\n", "d\n"]);
    });
  });
};
