/** What every program outside the sandbox is given of this process's environment. */
const USUAL = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"];
/** There is no terminal, and nobody to look at colours. */
const PLAIN = { TERM: "dumb", NO_COLOR: "1" };
/** Roles can leave commands in their repository's configuration, which git outside of the sandbox would run. */
const GUARDED_GIT = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of an agent's program: the usual variables, where it runs as this user, and those that it was configured to get.
 * Nothing else of this process's environment reaches it.
 */
export const programEnvironment = (
  { env, sandbox }: { env: readonly string[]; sandbox: "thread" | "none" },
  variables: Variables,
): Record<string, string> => {
  const names = sandbox === "none" ? [...USUAL, ...env] : env;
  const given = names.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...PLAIN, ...(sandbox === "none" ? GUARDED_GIT : {}), ...Object.fromEntries(given) };
};
