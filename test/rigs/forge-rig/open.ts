import type { ForgeKind } from "../../../src/forge/events.ts";
import type { ForgeRig, ForgeRigOptions } from "../forge-rig.ts";
import { forgejoForgeRig } from "./forgejo.ts";
import { githubForgeRig } from "./github.ts";

export const forgeRig = (kind: ForgeKind, options: ForgeRigOptions): Promise<ForgeRig> =>
  kind === "github" ? githubForgeRig(options) : forgejoForgeRig(options);
