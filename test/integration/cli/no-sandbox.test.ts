import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

describe("without a sandbox", () => {
  let home: UwfHome;
  beforeEach(() => {
    home = uwfHome();
    mkdirSync(home.root, { recursive: true, mode: 0o700 });
    execFileSync("git", ["init", "--quiet", home.cwd]);
    writeFileSync(join(home.root, "config.yaml"), "sandbox: { kind: none }\n");
  });
  afterEach(() => home.dispose());

  it.each([
    [["start"]],
    [["worker"]],
    [["solve", "--repo", "", "--issue", "Fix it"]],
    [["thread", "run", "01JD3Q8M5T"]],
    [["thread", "step", "01JD3Q8M5T"]],
    [["thread", "replay", "01JD3Q8M5T"]],
  ])("%j refuses to run commands when the configuration alone says so", async (args) => {
    const { exitCode, stderr } = await home.uwf(args);

    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("without a sandbox");
    expect(stderr).toContain("--unsafe-no-sandbox");
  });

  it("shows a banner when the command line says so too", async () => {
    const { stderr } = await home.uwf(["thread", "run", "01JD3Q8M5T", "--unsafe-no-sandbox"]);

    expect(stderr).toContain("NO SANDBOX: commands that the model chooses run as you");
  });

  it("lets commands go on that run none of a role", async () => {
    const { stderr } = await home.uwf(["thread", "rm", "01JD3Q8M5T"]);

    expect(stderr).not.toMatch(/sandbox/i);
  });
});
