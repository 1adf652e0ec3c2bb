import { inputError } from "../base/errors.ts";
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
  /** Where finished ones go: the server's registry, or the repository that the conversation is held in, by a pull request. */
  readonly into: "registry" | "repository";
  /** undefined: there is none of this person's. */
  load(id: string, userId: string): Promise<Design | undefined>;
  save(design: Design): Promise<void>;
  /**
   * Makes a design of a workflow that is installed, to edit or copy it: of the registry, or a bundled one. Throws
   * `workflow-unknown` (fix-input).
   */
  adopt(name: string, userId: string): Promise<Design>;
  /** What has the name, with its node; null: nothing has. A bundled workflow has none, and neither has a file that does not load. */
  holderOf(name: string): Promise<NameHolder | null>;
  /** Finishes it, and answers its node: in the registry it is stored, and can run at once. */
  register(workflow: Workflow): Promise<Hash>;
}

export type NameHolder = { kind: "repository" | "registry" | "bundled"; node: Hash | null };

export const unknownWorkflow = (name: string) =>
  inputError("workflow-unknown", `there is no workflow ${JSON.stringify(name.slice(0, 100))}`);
