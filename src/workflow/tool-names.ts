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
