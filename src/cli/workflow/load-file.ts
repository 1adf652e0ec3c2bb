import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { inputError } from "../../base/errors.ts";
import { fileFailure } from "../../base/file-failure.ts";
import { isObject } from "../../base/json.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { Context } from "../context.ts";

/** Reads and checks the workflow file that a person named. Throws `workflow-unknown`, `workflow-invalid`. */
export const loadWorkflowFile = async (file: string, { cwd }: Pick<Context, "cwd">): Promise<Workflow> => {
  try {
    return await loadWorkflow(await readFile(resolve(cwd, file)), { file });
  } catch (error) {
    if (!isObject(error) || error.syscall === undefined) throw error;
    throw inputError(
      "workflow-unknown",
      `cannot read the workflow file ${file}: ${fileFailure(error, "read")}`,
    );
  }
};
