import type { Forge } from "../forge/forge.ts";
import type { Store } from "../store/store.ts";
import { findWorkflow } from "../workflow/find.ts";
import type { Workflow } from "../workflow/workflow.ts";

/** Workflows by name for a repository on a forge: its own on the default branch, the registry's, the bundled ones. */
export const workflowFinder =
  (store: Store) =>
  async (name: string, forge: Forge): Promise<Workflow> => {
    const found = await findWorkflow(name, {
      store,
      byHash: false,
      readPath: null,
      readRepository: (path) => forge.file(path),
    });
    return found.workflow;
  };
