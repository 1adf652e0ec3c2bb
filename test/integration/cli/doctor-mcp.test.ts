import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type UwfHome, uwfHome } from "../../fixtures/uwf-process.ts";

const worker = fileURLToPath(new URL("../../fixtures/mcp-stdio-worker.ts", import.meta.url));

describe("uwf doctor, with servers of tools", () => {
  let home: UwfHome;
  beforeEach(() => {
    home = uwfHome();
  });
  afterEach(() => home.dispose());

  const servers = async (text: string, env: Record<string, string> = {}) => {
    mkdirSync(home.root, { recursive: true, mode: 0o700 });
    writeFileSync(join(home.root, "config.yaml"), `sandbox: { kind: none }\nmcpServers:\n${text}`);
    const { stdout, exitCode } = await home.uwf(["doctor", "--json"], { env });
    const checks = JSON.parse(stdout) as { name: string; state: string }[];
    return { exitCode, checks: checks.filter(({ name }) => name.startsWith("MCP")) };
  };
  const program = (name: string, roles = '{ "*": ["*"] }') =>
    `  ${name}: { command: "${process.execPath}", args: ["${worker}"], roles: ${roles} }\n`;

  it("starts each, and says which tools it has", async () => {
    const { checks } = await servers(program("docs"));

    expect(checks).toMatchObject([
      {
        name: "MCP docs",
        state: "ok",
        detail: expect.stringMatching(/^\d+ tools: docs_add, docs_die, .*, …$/),
      },
    ]);
  });

  it("says what does not start, cannot be reached or lacks its key, and with which words", async () => {
    const { checks, exitCode } = await servers(
      `${program("docs")}  gone: { command: sh, args: [-c, "echo no licence >&2; exit 1"], roles: { "*": ["*"] } }
  far: { url: "http://127.0.0.1:1/mcp", roles: { "*": ["*"] } }
  closed: { url: "http://127.0.0.1:1/mcp", apiKeyEnv: TICKETS_KEY, roles: { "*": ["*"] } }
  fewer: { command: "${process.execPath}", args: ["${worker}"], tools: [ad], roles: { "*": ["*"] } }
`,
    );

    expect(checks).toMatchObject([
      { name: "MCP docs", state: "ok" },
      { name: "MCP gone", state: "missing", detail: expect.stringContaining("no licence") },
      { name: "MCP far", state: "missing", detail: expect.stringContaining("far") },
      { name: "MCP closed", state: "missing", detail: expect.stringContaining("TICKETS_KEY") },
      { name: "MCP fewer", state: "missing", detail: expect.stringContaining("did you mean") },
    ]);
    expect(exitCode).toBe(2);
  });

  it("says which tools of two that a role may have are called alike", async () => {
    const { checks } = await servers(program("my-docs") + program("mydocs"));
    const apart = await servers(
      program("my-docs", "{ develop: [coder] }") + program("mydocs", '{ develop: [tester], fix-ci: ["*"] }'),
    );

    expect(checks.at(-1)).toMatchObject({
      name: "MCP my-docs, mydocs",
      state: "missing",
      detail: expect.stringContaining("could not tell apart: my-docs_add and mydocs_add"),
    });
    expect(apart.checks.map(({ state }) => state)).toEqual(["ok", "ok"]);
  });
});
