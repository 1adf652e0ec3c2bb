import { randomUUID } from "node:crypto";
import { inputError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Store } from "../store/store.ts";
import { readBundledWorkflow } from "../workflow/bundled.ts";
import { fileText } from "../workflow/file-text.ts";
import { loadStoredWorkflow, workflowNodes } from "../workflow/nodes.ts";
import type { Design, Designs } from "./designs.ts";
import { DryRun } from "./dry-run/dry-run.ts";

type DesignStore = Pick<
  Store,
  "design" | "saveDesign" | "put" | "load" | "loadAll" | "workflowHash" | "registerWorkflow"
>;

/** Designs in the store's own table, finished ones in its registry. */
export const storedDesigns = (store: DesignStore): Designs => {
  const save = async (design: Design): Promise<void> => {
    const dryRun = design.dryRun as Json | null;
    if (await store.saveDesign({ ...design, dryRun })) return;
    throw unknown(design.id);
  };
  const sourceFor = async (name: string): Promise<Pick<Design, "source" | "node">> => {
    const node = await store.workflowHash(name);
    if (node !== undefined) return { source: await fileText(await loadStoredWorkflow(store, node)), node };
    const source = await readBundledWorkflow(name);
    if (source === undefined) throw unknown(name);
    return { source, node: null };
  };
  return {
    load: async (id, userId) => {
      const found = await store.design(id, userId);
      if (found === undefined) return undefined;
      const { name, source, node, dryRun } = found;
      // What a damaged row says of the checks is found again by checking.
      return { id, userId, name, source, node, dryRun: DryRun.safeParse(dryRun).data ?? null };
    },
    save,
    adopt: async (name, userId) => {
      const design = { id: randomUUID(), userId, name, dryRun: null, ...(await sourceFor(name)) };
      await save(design);
      return design;
    },
    holderOf: async (name) => {
      const node = await store.workflowHash(name);
      if (node !== undefined) return { kind: "registry", node };
      return (await readBundledWorkflow(name)) === undefined ? null : { kind: "bundled" };
    },
    register: async (workflow) => {
      const { workflow: node, nodes } = workflowNodes(workflow);
      await store.put(nodes);
      await store.registerWorkflow(workflow.name, node.hash);
      return node.hash;
    },
  };
};

const unknown = (name: string) =>
  inputError("workflow-unknown", `there is no workflow ${JSON.stringify(name.slice(0, 100))}`);
