import { describe, expect, it } from "vitest";
import { askedAgents } from "../../../src/config/asked-agents.ts";
import type { Config } from "../../../src/config/config.ts";

const agents: Config["agents"] = {
  builtin: { adapter: "react" },
  claude: { command: "claude", preset: "claude" },
};
const asked = (...texts: string[]) =>
  askedAgents(texts, { agents, searchPath: "/nowhere:/bin:/usr/bin", cwd: "/bin" });

describe("askedAgents", () => {
  it("takes an alias for a role, and another for all others", () => {
    expect(asked("developer=claude", "builtin")).toEqual({
      roles: new Map([["developer", { name: "claude", agent: agents.claude }]]),
      others: { name: "builtin", agent: { adapter: "react" } },
    });
  });

  it.each([
    ["sh -c 'exit 0'", { command: "sh", args: ["-c", "exit 0"], protocol: "step" }],
    ["sh", { command: "sh", args: [], protocol: "step" }],
    ["meta:sh -e", { command: "sh", args: ["-e"], protocol: "meta" }],
    ["text: sh", { command: "sh", args: [], protocol: "text" }],
    ["./sh --a=b", { command: "/bin/sh", args: ["--a=b"], protocol: "step" }],
    ["uwf-builtin --model fast", { command: "uwf-builtin", args: ["--model", "fast"], protocol: "step" }],
  ])("takes the command line %s for an agent", (line, agent) => {
    expect(asked(`coder=${line}`).roles.get("coder")?.agent).toEqual(agent);
    expect(asked(line).others?.agent).toEqual(agent);
  });

  it("is called by its program's name", () => {
    expect(asked("/bin/sh -e").others?.name).toBe("sh");
  });

  it.each([
    [["claud"], '"claud" is no agent of the configuration, and no program; did you mean "claude"?'],
    [
      ["developer=bultin"],
      '"bultin" is no agent of the configuration, and no program; did you mean "builtin"?',
    ],
    [["uwf-no-such --flag"], '"uwf-no-such" is no program'],
    [["./nothing"], '"./nothing" is no agent of the configuration, and no program'],
    [["claude", "builtin"], "--agent names all roles twice"],
    [["a=claude", "a=builtin"], "--agent names the role a twice"],
    [["sh 'open"], "--agent sh 'open: a quote is not closed"],
    [["developer="], "--agent names no agent"],
  ])("refuses %j", (texts, message) => {
    expect(() => asked(...texts)).toThrow(expect.objectContaining({ message, remedy: "fix-input" }));
  });
});
