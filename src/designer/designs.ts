import type { Hash } from "../base/ids.ts";
import type { DesignRecord } from "../store/sessions.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { DryRun } from "./dry-run/dry-run.ts";

/** A workflow file in the making, or one to begin with. */
export type Design = Pick<DesignRecord, "id" | "userId" | "name" | "source" | "node"> & {
  /** What its checks found last; null: they have not run on this source. */
  dryRun: DryRun | null;
};

/** Where the designer keeps the files that it writes, and where the finished ones go. */
export interface Designs {
  /** undefined: there is none of this person's. */
  load(id: string, userId: string): Promise<Design | undefined>;
  save(design: Design): Promise<void>;
  /**
   * Makes a design of a workflow that is installed, to edit or copy it: of the registry, or a bundled one. Throws
   * `workflow-unknown` (fix-input).
   */
  adopt(name: string, userId: string): Promise<Design>;
  /** What has the name: the node in the registry, a bundled workflow, or nothing. */
  holderOf(name: string): Promise<{ kind: "registry"; node: Hash } | { kind: "bundled" } | null>;
  /** Stores the node and puts it in the registry under its name: it can run at once. */
  register(workflow: Workflow): Promise<Hash>;
}
