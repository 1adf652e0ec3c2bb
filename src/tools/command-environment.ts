/**
 * What commands of tools get beside the workspace's own variables: no colours, pagers, editors, questions or watch
 * modes, since nobody is there to answer.
 */
export const commandEnvironment: Readonly<Record<string, string>> = {
  CI: "1",
  TERM: "dumb",
  NO_COLOR: "1",
  LC_ALL: "C.UTF-8",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  DEBIAN_FRONTEND: "noninteractive",
};
