import { readBundledWorkflow } from "./bundled.ts";
import { atValue, type Problem } from "./source/problem.ts";

/** The workflow whose roles the designer plays, unless the configuration names another agent for one: no other one has its name. */
export const DESIGN = "design";

/** What is wrong with the name of a workflow that is not the program's own. */
export const reservedName = async (name: string, source: string | Uint8Array): Promise<Problem[]> => {
  if (name !== DESIGN) return [];
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  if (text === (await readBundledWorkflow(DESIGN))) return [];
  return [
    { ...atValue("name"), message: `"${DESIGN}" is uwf's own, played by its designer: choose another name` },
  ];
};
