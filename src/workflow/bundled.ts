import { readdir, readFile } from "node:fs/promises";
import { isObject } from "../base/json.ts";
import { namePattern } from "./definition.ts";

const directory = new URL("../../workflows/", import.meta.url);

/** The text of a workflow that comes with the program; undefined when there is none of that name. */
export const readBundledWorkflow = async (name: string): Promise<string | undefined> => {
  if (!namePattern.test(name)) return undefined;
  try {
    return await readFile(new URL(`${name}.yaml`, directory), "utf8");
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
};

/** The names of the workflows that come with the program, in order. */
export const bundledWorkflowNames = async (): Promise<string[]> =>
  (await readdir(directory))
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length))
    .sort();
