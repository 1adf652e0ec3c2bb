import { describe, expect, it } from "vitest";
import { modelNameOf, requireApart } from "../../../../src/tools/mcp/tool-names.ts";

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

describe("the tools of two servers", () => {
  const apart = (first: string[], second: string[]) => () =>
    requireApart([
      { server: "my-docs", names: first },
      { server: "mydocs", names: second },
    ]);

  it.each([
    ["my-docs_search", "mydocs_search"],
    ["mydocs_a_0123ab", "mydocs_a_0123ab"],
  ])("may not have names that a model could take for each other: %s, %s", (one, other) => {
    expect(apart([one], ["mydocs_x", other])).toThrow(
      expect.objectContaining({
        code: "mcp-tools",
        remedy: "fix-config",
        message: expect.stringMatching(
          /^the MCP servers "my-docs" and "mydocs" have tools that a model could not tell apart: my/,
        ),
      }),
    );
  });

  it("may have names that only resemble each other, also within one server", () => {
    expect(apart(["my-docs_get-page", "my-docs_get_page"], ["mydocs_get_pages"])).not.toThrow();
  });
});
