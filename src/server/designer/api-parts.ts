import type { Redact } from "../../base/redact.ts";
import type { Designs } from "../../designer/designs.ts";
import type { Sessions } from "../../designer/sessions.ts";
import type { StateManager } from "../../designer/state-manager.ts";

export type DesignerApiParts = {
  sessions: Sessions;
  states: StateManager;
  designs: Designs;
  /** Whoever brings the server's token. */
  userId: string;
  redact?: Redact;
};
