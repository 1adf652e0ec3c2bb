import type { Hash } from "../base/ids.ts";
import type { Store } from "../store/store.ts";
import { readBundledWorkflow } from "../workflow/bundled.ts";
import { fileText } from "../workflow/file-text.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import { DESIGN } from "../workflow/reserved.ts";
import { type Design, type NameHolder, unknownWorkflow } from "./designs.ts";

type Registry = Pick<Store, "workflowHash" | "load" | "loadAll">;

/** The file of the workflow that has the name: the registry's, else the bundled one. Throws `workflow-unknown` (fix-input). */
export const installedSource = async (
  store: Registry,
  name: string,
): Promise<Pick<Design, "source" | "node">> => {
  const node = await registered(store, name);
  if (node !== undefined) return { source: await fileText(await loadStoredWorkflow(store, node)), node };
  const source = await readBundledWorkflow(name);
  if (source === undefined) throw unknownWorkflow(name);
  return { source, node: null };
};

/** Which of the two has the name; null: neither. */
export const installedHolder = async (
  store: Pick<Registry, "workflowHash">,
  name: string,
): Promise<NameHolder | null> => {
  const node = await registered(store, name);
  if (node !== undefined) return { kind: "registry", node };
  return (await readBundledWorkflow(name)) === undefined ? null : { kind: "bundled", node: null };
};

/** A name that is the program's own is nobody else's. */
const registered = async (store: Pick<Registry, "workflowHash">, name: string): Promise<Hash | undefined> =>
  name === DESIGN ? undefined : store.workflowHash(name);
