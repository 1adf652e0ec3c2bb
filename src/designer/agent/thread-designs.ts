import { randomUUID } from "node:crypto";
import { AppError } from "../../base/errors.ts";
import type { Hash } from "../../base/ids.ts";
import type { Store } from "../../store/store.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import { workflowNodes } from "../../workflow/nodes.ts";
import type { Design, Designs } from "../designs.ts";
import { installedHolder, installedSource } from "../installed-workflow.ts";

/** Where a repository has its own workflows. */
export const pathOf = (name: string): string => `.uwf/workflows/${name}.yaml`;

export type ThreadDesignParts = {
  store: Pick<Store, "workflowHash" | "load" | "loadAll">;
  /** A file of the repository that the thread works on; undefined: there is none. */
  readFile(path: string): Promise<string | undefined>;
  /** As the thread has kept them. */
  designs: readonly Design[];
};

/** Designs that nobody sees outside of their thread: what is finished goes into the repository, and not into the registry. */
export const threadDesigns = ({
  store,
  readFile,
  designs,
}: ThreadDesignParts): Designs & { all(): Design[] } => {
  const kept = new Map(designs.map((design) => [design.id, design]));
  const adopted = async (name: string): Promise<Pick<Design, "source" | "node">> => {
    const own = await readFile(pathOf(name));
    if (own !== undefined) return { source: own, node: await nodeIn(own, name) };
    return installedSource(store, name);
  };
  return {
    into: "repository",
    all: () => [...kept.values()],
    load: async (id, userId) => {
      const design = kept.get(id);
      return design?.userId === userId ? design : undefined;
    },
    save: async (design) => void kept.set(design.id, design),
    adopt: async (name, userId) => {
      const design = { id: randomUUID(), userId, name, dryRun: null, ...(await adopted(name)) };
      kept.set(design.id, design);
      return design;
    },
    holderOf: async (name) => {
      const own = await readFile(pathOf(name));
      if (own !== undefined) return { kind: "repository", node: await nodeIn(own, name) };
      return installedHolder(store, name);
    },
    register: async (workflow) => workflowNodes(workflow).workflow.hash,
  };
};

/** null: the file does not load. */
const nodeIn = async (source: string, name: string): Promise<Hash | null> => {
  try {
    return workflowNodes(await loadWorkflow(source, { file: pathOf(name) })).workflow.hash;
  } catch (error) {
    if (error instanceof AppError && error.code === "workflow-invalid") return null;
    throw error;
  }
};
