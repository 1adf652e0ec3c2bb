import { describe, expect, it } from "vitest";
import { modelNameOf } from "../../../../src/tools/mcp/tool-names.ts";

const nameOf = (server: string, tool: string): string =>
  modelNameOf({ server, tool }, ["read_file", "git_log", "resolve"]);

describe("the name under which a model calls a server's tool", () => {
  it("is the server's name and the tool's", () => {
    expect(nameOf("docs", "search")).toBe("docs_search");
    expect(nameOf("my-docs", "get-page_2")).toBe("my-docs_get-page_2");
  });

  it.each([
    ["holds what providers do not take", "docs", "a.b/c d\n", /^docs_a_b_c_d__[0-9a-f]{6}$/],
    ["holds letters of other scripts", "docs", "搜索", /^docs____[0-9a-f]{6}$/],
    ["is too long", "docs", "x".repeat(70), /^docs_x{52}_[0-9a-f]{6}$/],
    ["is one of ours", "git", "log", /^git_log_[0-9a-f]{6}$/],
    ["could be taken for one of ours", "read", "File", /^read_File_[0-9a-f]{6}$/],
    ["is empty", "docs", "", /^docs_$/],
  ])("is changed where it %s, and the same each time", (_, server, tool, name) => {
    expect(nameOf(server, tool)).toMatch(name);
    expect(nameOf(server, tool)).toBe(nameOf(server, tool));
    expect(nameOf(server, tool).length).toBeLessThanOrEqual(64);
  });

  it("differs for tools whose names become alike", () => {
    const names = ["a.b", "a b", "a_b", "a/b"].map((tool) => nameOf("docs", tool));

    expect(new Set(names).size).toBe(names.length);
  });
});
