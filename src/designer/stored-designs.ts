import { randomUUID } from "node:crypto";
import type { Json } from "../base/json.ts";
import type { Store } from "../store/store.ts";
import { workflowNodes } from "../workflow/nodes.ts";
import { type Design, type Designs, unknownWorkflow } from "./designs.ts";
import { DryRun } from "./dry-run/dry-run.ts";
import { installedHolder, installedSource } from "./installed-workflow.ts";

type DesignStore = Pick<
  Store,
  "design" | "saveDesign" | "put" | "load" | "loadAll" | "workflowHash" | "registerWorkflow"
>;

/** Designs in the store's own table, finished ones in its registry. */
export const storedDesigns = (store: DesignStore): Designs => {
  const save = async (design: Design): Promise<void> => {
    const dryRun = design.dryRun as Json | null;
    if (await store.saveDesign({ ...design, dryRun })) return;
    throw unknownWorkflow(design.id);
  };
  return {
    into: "registry",
    load: async (id, userId) => {
      const found = await store.design(id, userId);
      if (found === undefined) return undefined;
      const { name, source, node, dryRun } = found;
      // What a damaged row says of the checks is found again by checking.
      return { id, userId, name, source, node, dryRun: DryRun.safeParse(dryRun).data ?? null };
    },
    save,
    adopt: async (name, userId) => {
      const installed = await installedSource(store, name);
      const design = { id: randomUUID(), userId, name, dryRun: null, ...installed };
      await save(design);
      return design;
    },
    holderOf: (name) => installedHolder(store, name),
    register: async (workflow) => {
      const { workflow: node, nodes } = workflowNodes(workflow);
      await store.put(nodes);
      await store.registerWorkflow(workflow.name, node.hash);
      return node.hash;
    },
  };
};
