import { builtinTools } from "../workflow/tool-names.ts";

const TOOLS: ReadonlySet<string> = new Set([...builtinTools, "resolve"]);

/** Models make up names of tools: only ours become labels and names of spans, so that there is a bounded number of them. */
export const toolLabel = (name: string): string => (TOOLS.has(name) ? name : "other");
