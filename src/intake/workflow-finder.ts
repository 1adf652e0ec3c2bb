import { AppError, inputError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import { inlineCode } from "../forge/text/inline-code.ts";
import type { Store } from "../store/store.ts";
import { findWorkflow } from "../workflow/find.ts";
import type { Workflow } from "../workflow/workflow.ts";

/** Workflows by name for a repository on a forge: its own on the default branch, the registry's, the bundled ones. */
export const workflowFinder =
  (store: Store) =>
  async (name: string, forge: Forge): Promise<Workflow> => {
    try {
      const found = await findWorkflow(name, {
        store,
        byHash: false,
        readPath: null,
        readRepository: (path) => forge.file(path),
      });
      return found.workflow;
    } catch (error) {
      throw error instanceof AppError && error.code === "workflow-unknown" ? unknown(name) : error;
    }
  };

/** For people on the forge, who have no command line. */
const unknown = (name: string): AppError =>
  inputError(
    "workflow-unknown",
    `There is no workflow ${inlineCode(name)} here.`,
    `A repository's own are files like ${inlineCode(".uwf/workflows/docs.yaml")} on its default branch.`,
  );
