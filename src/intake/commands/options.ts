import { didYouMean } from "../../base/nearest.ts";
import { inlineCode } from "../../forge/text/inline-code.ts";
import type { Asked, IntakeParts } from "../parts.ts";
import { mostBudget } from "../start-work.ts";
import type { CommandOptions } from "./read-options.ts";

/** What is wrong with a command's options here, for people; null when nothing is. */
export const optionProblem = (parts: IntakeParts, asked: Asked, options: CommandOptions): string | null => {
  const { models, defaultModel } = parts.config;
  const { model, budgetUsd } = options;
  const known = Object.keys(models);
  if (model !== undefined && model !== "default" && !known.includes(model)) {
    const all =
      known.length === 0 ? inlineCode(defaultModel) : known.map((name) => inlineCode(name)).join(", ");
    return `There is no model ${inlineCode(model)} here${didYouMean(model, known, inlineCode) || "."} There are: ${all}.`;
  }
  const most = mostBudget(parts, asked);
  if (budgetUsd !== undefined && most !== null && budgetUsd > most)
    return `A thread may spend at most $${most} here, so \`--budget ${budgetUsd}\` is too much.`;
  return null;
};
