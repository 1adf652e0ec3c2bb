import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readFile } from "../../../src/tools/read-file.ts";
import { shellExec } from "../../../src/tools/shell-exec.ts";
import { toolBench } from "../../fixtures/tool-context.ts";

const run = async (command: string, args: object = {}, files = {}) => {
  const bench = await toolBench(files);
  return { ...(await bench.use(shellExec, { command, ...args })), bench };
};

describe("shell_exec", () => {
  it("answers both streams, the exit code and the time", async () => {
    const answer = await run("echo out; echo err >&2; exit 3");

    expect(answer.ok).toBe(false);
    expect(answer.text).toMatch(/^(out\nerr|err\nout)\n\[exit code 3, \d+\.\d s\]$/);
  });

  it("says that there was no output", async () => {
    expect(await run("true")).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^\[exit code 0, \d+\.\d s, no output\]$/),
    });
  });

  it("is a fresh shell in the root, or in cwd", async () => {
    const { bench } = await run("cd sub && export A=1", {}, { "sub/x": "" });

    const root = await bench.use(shellExec, { command: 'echo "$PWD$A"' });
    const inside = await bench.use(shellExec, { command: "pwd", cwd: "sub" });
    const missing = await bench.use(shellExec, { command: "pwd", cwd: "sup" });

    expect(root.text).toContain(`${bench.workspace.root}\n`);
    expect(inside.text).toContain(`${bench.workspace.root}/sub\n`);
    expect(missing).toMatchObject({ ok: false, text: expect.stringContaining("Similar names: sub") });
  });

  it("has nobody to ask: no stdin, no colours, no pager, no prompts", async () => {
    const { text } = await run(
      'read -r x; echo "read: $?"; echo "$CI $TERM $NO_COLOR $LC_ALL $PAGER $GIT_EDITOR"',
    );

    expect(text).toContain("read: 1\n1 dumb 1 C.UTF-8 cat true\n");
  });

  it("removes colours and progress", async () => {
    const { text } = await run("printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n'");

    expect(text).toMatch(/^red\n100%\n\[exit/);
  });

  it("keeps head and tail of a long output, and the whole in a file", async () => {
    const { text, bench } = await run("seq 1 20000");

    expect(text.length).toBeLessThan(30_100);
    expect(text).toMatch(
      /^1\n2\n[\s\S]*\n\[… [\d,]+ lines \([\d,]+ characters\) left out here;[\s\S]*\n20000\n\[exit/,
    );
    const path = /the whole output is in (\S+):/.exec(text)?.[1] ?? "";
    const kept = await bench.use(readFile, { path, offset: 10_000, limit: 1 });
    expect(kept.text).toMatch(/^10000\t10000\n/);
  });

  it("says how much of more than 10 MiB was not kept", async () => {
    const { text } = await run("head -c 12000000 /dev/zero | tr '\\0' 'a' | fold -w 99");

    expect(text).toMatch(/\[Of the output's middle 1\.\d MiB were not kept\.\]\n\[exit code 0/);
  });

  it("stops at the time-out with what there was, and advises", async () => {
    const answer = await run("echo begun; sleep 60", { timeout_seconds: 0.5 });

    expect(answer.ok).toBe(false);
    expect(answer.text).toMatch(
      /^begun\n\[timed out after 0\.5 s and was killed; .*larger timeout_seconds \(at most 600\)/,
    );
  });

  it("passes output on as it comes", async () => {
    const pieces: string[] = [];
    const bench = await toolBench({}, { onOutput: (piece) => pieces.push(piece) });

    await bench.use(shellExec, { command: "echo one; sleep 0.1; echo two" });

    expect(pieces.join("")).toBe("one\ntwo\n");
  });

  it("lets cancellation through and stops the command", async () => {
    const abort = new AbortController();
    const bench = await toolBench({}, { signal: abort.signal });

    const answer = bench.use(shellExec, { command: "sleep 0.4; touch late" });
    setTimeout(() => abort.abort(), 50);

    await expect(answer).rejects.toThrow();
    await delay(500);
    expect(await bench.workspace.files.stat("late")).toBeUndefined();
  });

  it.each([601, 0, -1])("refuses a time-out of %d s", async (timeout_seconds) => {
    expect(await run("true", { timeout_seconds })).toMatchObject({
      ok: false,
      text: expect.stringContaining("timeout_seconds"),
    });
  });
});
