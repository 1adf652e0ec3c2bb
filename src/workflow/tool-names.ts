/** The tools that every role may name. Those of configured servers come beside them. */
export const builtinTools: readonly string[] = [
  "read_file",
  "write_file",
  "patch_file",
  "shell_exec",
  "search_files",
  "list_files",
  "git_log",
  "git_diff",
  "git_show",
  "cas_get",
];

/**
 * A tool of a configured MCP server as roles name it, `docs:search`, or all of them, `docs:*`; null for other names. Workflow files do not
 * know which servers there are: whoever configures them says who has their tools.
 */
export const serverTool = (name: string): { server: string; tool: string } | null => {
  const [, server, tool] = /^([a-z][a-z0-9-]{0,31}):(\S{1,128})$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? null : { server, tool };
};
