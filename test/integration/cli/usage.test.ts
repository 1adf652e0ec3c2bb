import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

let home: UwfHome;
beforeEach(() => {
  home = uwfHome();
});
afterEach(() => home.dispose());

describe("a slip on the command line", () => {
  it.each([
    [["thraed"], 'unknown command "thraed"; did you mean "thread"?'],
    [["thread", "list", "--jsn"], '"uwf thread list" has no option --jsn; did you mean "--json"?'],
    [["thread", "list", "--limit"], "option --limit needs a value: --limit <n>"],
    [
      ["thread", "show"],
      '"uwf thread show" needs <thread>: a thread\'s id, or its first 8 characters or more',
    ],
    [["thread", "show", "01J"], '"01J" is too short to name one'],
    [["thread", "show", "01JD3Q8M5T"], 'no thread begins with "01JD3Q8M5T"'],
    [["cas", "get", "7ZB3K9QW"], 'no node begins with "7ZB3K9QW"'],
    [["cas", "put", "txt", "-"], '"txt" is no node type; did you mean "text"?'],
    [["cas", "put", "text", "missing.json"], "cannot read missing.json: there is no such file"],
    [["workflow", "show", "nothing"], 'there is no workflow "nothing"'],
    [
      ["workflow", "put", "missing.yaml"],
      "cannot read the workflow file missing.yaml: there is no such file",
    ],
    [["workflow", "put", "."], "cannot read the workflow file .: it is a directory"],
    [["setup"], "no model is named, and there is no terminal to ask on"],
    [["setup", "--model", "m", "--price-in", "cheap"], 'option --price-in must be a number, not "cheap"'],
    [["solve"], '"uwf solve" needs --issue <text|@file|url>'],
    [["solve", "--issue", "x", "--repo", "nowhere"], "there is no directory"],
    [["solve", "--issue", "x"], "is not in a git repository"],
    [
      ["solve", "--issue", "x", "--repo", "https://user:secret@example.com/a.git"],
      "contains a user or password",
    ],
    [["solve", "--issue", "x", "--repo", "ext::sh -c true"], "would start a helper program"],
    [
      ["solve", "--issue", "x", "--repo", "http://127.0.0.1:1/a.git"],
      "http://127.0.0.1:1/a.git cannot be reached",
    ],
    [["solve", "--thread", "01JD3Q8M5T", "--issue", "x"], "--issue does not go with --thread"],
  ])("%j is one line that names it, exit code 2, and leaves nothing behind", async (args, message) => {
    const { exitCode, stdout, stderr } = await home.uwf(args);

    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(message);
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .filter((line) => !line.startsWith("hint: ")),
    ).toHaveLength(1);
    expect(stdout).toBe("");
    expect(exitCode).toBe(2);
    expect(existsSync(home.root)).toBe(false);
    expect(readdirSync(home.cwd)).toEqual([]);
  });

  it("a payload that does not fit names the field", async () => {
    const { exitCode, stderr } = await home.uwf(["cas", "put", "text", "-"], { stdin: '{"text": 1}' });

    expect(exitCode).toBe(2);
    expect(stderr).toContain("not a valid text node: encoding:");
    expect(existsSync(home.root)).toBe(false);
  });

  it("a bad workflow file names line and column", async () => {
    writeFileSync(join(home.cwd, "bad.yaml"), "version: 1\nname: bad\nroles: {}\nmoderater: []\n");

    const { exitCode, stderr } = await home.uwf(["workflow", "put", "bad.yaml"]);

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:4:1: .*moderater.*did you mean "moderator"/);
    expect(existsSync(home.root)).toBe(false);
  });

  it("a bad variable is named", async () => {
    const { exitCode, stderr } = await home.uwf(["thread", "pause", "01JD3Q8M5T"], { env: { PORT: "many" } });

    expect(exitCode).toBe(2);
    expect(stderr).toContain('error: PORT: must be a port from 0 to 65535, not "many"');
  });
});

describe("the program", () => {
  it("prints help from anywhere, and makes nothing", async () => {
    const { exitCode, stdout, stderr } = await home.uwf(["--help"]);

    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toContain("Usage: uwf <command> [options]");
    expect(existsSync(home.root)).toBe(false);
  });

  it("shows an empty store without making one", async () => {
    expect(await home.uwf(["thread", "list", "--json"])).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
    expect((await home.uwf(["thread", "list"])).stderr).toContain("No threads yet");
    expect((await home.uwf(["cas", "verify"])).exitCode).toBe(0);
    expect(existsSync(home.root)).toBe(false);
  });

  it.skipIf(!existsSync("/dev/full"))("does not call output whole that a full disk has cut", async () => {
    const program = fileURLToPath(new URL("../../../bin/uwf.js", import.meta.url));
    const full = openSync("/dev/full", "w");

    const { status, stderr } = spawnSync(process.execPath, [program, "--help"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);

    expect(status).toBe(1);
    expect(stderr).toBe("error: the output could not be written: the disk is full\n");
  });

  it("prints no colours into a pipe, whatever the terminal's name", async () => {
    const { stdout } = await home.uwf(["doctor"], { env: { TERM: "xterm-256color" } });

    expect(stdout).not.toContain("\u001b");
  });
});
