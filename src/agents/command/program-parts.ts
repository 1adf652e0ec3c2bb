import { redactor } from "../../base/redact.ts";
import type { Config } from "../../config/config.ts";
import { agentSecretsOf, secretsOf } from "../../config/secrets.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { ProgramParts } from "./play-program.ts";

/** What programs of agents are run with, from the configuration. `sandbox` is the one of the roles' own commands. */
export const programParts = (
  config: Config,
  { outside, sandbox }: { outside: Sandbox; sandbox: Pick<Sandbox, "owner" | "kind"> },
): ProgramParts => {
  const { variables, storageRoot, databaseUrl } = config;
  const secrets = [...secretsOf(config), ...agentSecretsOf(config)];
  return {
    outside,
    owner: sandbox.owner,
    sandbox: sandbox.kind,
    variables,
    storageRoot,
    databaseUrl,
    redactFor: (names) => redactor([...secrets, ...names.map((name) => variables[name])]),
  };
};
