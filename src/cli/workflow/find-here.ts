import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject } from "../../base/json.ts";
import { type FoundWorkflow, findWorkflow, type WorkflowPlaces } from "../../workflow/find.ts";
import type { Context } from "../context.ts";

type Here = Pick<WorkflowPlaces, "store"> &
  Partial<Pick<WorkflowPlaces, "readRepository">> &
  Pick<Context, "cwd">;

/** Looks for a workflow as a person at this terminal names it. Throws as `findWorkflow`. */
export const findWorkflowHere = (
  name: string,
  { store, cwd, readRepository = null }: Here,
): Promise<FoundWorkflow> =>
  findWorkflow(name, { store, readPath: (path) => readIfThere(resolve(cwd, path)), readRepository });

const readIfThere = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path);
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
};
