import type { Config } from "../../config/config.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { ProgramParts } from "./play-program.ts";

/** What programs of agents are run with, from the configuration. `sandbox` is the one of the roles' own commands. */
export const programParts = (
  config: Config,
  { outside, sandbox }: { outside: Sandbox; sandbox: Pick<Sandbox, "owner" | "kind"> },
): ProgramParts => {
  const { variables, storageRoot, databaseUrl, secrets } = config;
  return {
    outside,
    owner: sandbox.owner,
    sandbox: sandbox.kind,
    variables,
    storageRoot,
    databaseUrl,
    redactFor: (names) => {
      for (const name of names) secrets.add(variables[name] ?? "");
      return secrets.redact;
    },
  };
};
