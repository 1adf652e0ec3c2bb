import type { Redact } from "../../base/redact.ts";
import type { Designs } from "../../designer/designs.ts";
import type { Sessions } from "../../designer/sessions.ts";
import type { StateManager } from "../../designer/state-manager.ts";
import type { ForgeKind } from "../../forge/events.ts";
import type { RunOperatorsWork } from "../../intake/operator-run.ts";

export type DesignerApiParts = {
  sessions: Sessions;
  states: StateManager;
  designs: Designs;
  /** Whoever brings the server's token. */
  userId: string;
  /** What finished workflows are run with, and the forges on whose repositories they can be. */
  runs: { forges: readonly ForgeKind[]; start: RunOperatorsWork };
  redact?: Redact;
};
