import { inputError, messageOf } from "../base/errors.ts";
import { type Hash, isHash, normalizeId, shortHash } from "../base/ids.ts";
import type { Store } from "../store/store.ts";
import { readBundledWorkflow } from "./bundled.ts";
import { namePattern } from "./definition.ts";
import { loadWorkflow } from "./load.ts";
import { loadStoredWorkflow } from "./nodes.ts";
import { DESIGN } from "./reserved.ts";
import type { Workflow } from "./workflow.ts";

/** Where workflows are looked for. A place that is null is not there for this caller. */
export type WorkflowPlaces = {
  store: Pick<Store, "findHashes" | "get" | "load" | "loadAll" | "workflowHash">;
  /** False for the bot: the store has the workflows of every repository's threads, and hashes are shown. Default: true. */
  byHash?: boolean;
  /** Reads a file that a person at the terminal named; undefined when it is not there. Never given to the bot. */
  readPath: ((path: string) => Promise<string | Uint8Array | undefined>) | null;
  /** Reads a file of the repository's default branch; undefined when it is not there. */
  readRepository: ((path: string) => Promise<string | Uint8Array | undefined>) | null;
  /** Reads a workflow that comes with the program; the default are the files in `workflows/`. */
  readBundled?: (name: string) => Promise<string | undefined>;
  moreTools?: readonly string[];
};

export type FoundWorkflow = {
  workflow: Workflow;
  origin: "hash" | "path" | "repository" | "registry" | "bundled";
};

/**
 * Looks for a workflow by hash, path, `.uwf/workflows/<name>.yaml` on the repository's default branch, the registry
 * and the bundled ones, in this order. Throws `workflow-unknown`, `workflow-ambiguous`, `workflow-name`,
 * `workflow-invalid` (all fix-input).
 */
export const findWorkflow = async (name: string, places: WorkflowPlaces): Promise<FoundWorkflow> => {
  const byHash = places.byHash === false ? undefined : await findByHash(name, places.store);
  if (byHash) return { workflow: await loadStoredWorkflow(places.store, byHash), origin: "hash" };
  if (looksLikePath(name)) return { workflow: await loadPath(name, places), origin: "path" };
  if (!namePattern.test(name))
    throw inputError(
      "workflow-name",
      `${JSON.stringify(name.slice(0, 100))} is no name of a workflow`,
      "Names have letters, digits, dots, dashes and underscores.",
    );
  const options = places.moreTools ? { moreTools: places.moreTools } : {};
  const inRepository = `.uwf/workflows/${name}.yaml`;
  const text = await places.readRepository?.(inRepository);
  if (text !== undefined)
    return { workflow: await loadWorkflow(text, { file: inRepository, ...options }), origin: "repository" };
  // Before its name was reserved, another one may have been put there.
  const registered = name === DESIGN ? undefined : await places.store.workflowHash(name);
  if (registered) return { workflow: await loadStoredWorkflow(places.store, registered), origin: "registry" };
  const bundled = await (places.readBundled ?? readBundledWorkflow)(name);
  if (bundled !== undefined)
    return {
      workflow: await loadWorkflow(bundled, { file: `workflows/${name}.yaml`, ...options }),
      origin: "bundled",
    };
  throw inputError(
    "workflow-unknown",
    `there is no workflow ${JSON.stringify(name)}`,
    `Name a file, or one that \`uwf workflow list\` shows; a repository's own is ${inRepository} on its branch.`,
  );
};

const looksLikePath = (name: string): boolean => /[/\\]/.test(name) || /\.ya?ml$/i.test(name);

const loadPath = async (path: string, { readPath, moreTools }: WorkflowPlaces): Promise<Workflow> => {
  if (readPath === null)
    throw inputError(
      "workflow-name",
      `${JSON.stringify(path.slice(0, 100))} is a path; here a workflow is given by its name`,
    );
  const text = await readPath(path).catch((error: unknown) => {
    throw inputError("workflow-unknown", `the workflow file ${path} cannot be read: ${messageOf(error)}`);
  });
  if (text === undefined) throw inputError("workflow-unknown", `there is no workflow file ${path}`);
  return loadWorkflow(text, { file: path, ...(moreTools ? { moreTools } : {}) });
};

/** A name may look like the beginning of a hash: only one that a workflow has is taken for it. */
const findByHash = async (text: string, store: WorkflowPlaces["store"]): Promise<Hash | undefined> => {
  const prefix = normalizeId(text);
  if (!/^[0-9A-HJKMNP-TV-Z]{8,52}$/.test(prefix)) return undefined;
  const hashes = await store.findHashes(prefix, 20);
  const found: Hash[] = [];
  for (const hash of hashes) if ((await store.get(hash))?.type === "workflow") found.push(hash);
  if (found.length > 1)
    throw inputError(
      "workflow-ambiguous",
      `${text} is the beginning of several workflows: ${found.map(shortHash).join(", ")}`,
    );
  if (found[0] === undefined && isHash(prefix))
    throw inputError("workflow-unknown", `there is no workflow with the hash ${prefix}`);
  return found[0];
};
