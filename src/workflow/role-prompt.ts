import type { RoleDefinition } from "./definition.ts";

/** The fields that one system prompt can be composed of, in their order. */
export const composed = ["goal", "capabilities", "procedure", "output"] as const;

const headings = {
  goal: "Goal",
  capabilities: "Capabilities",
  procedure: "Procedure",
  output: "Output",
} as const;

/** An empty list or text says nothing. */
export const isSaid = (prose: string | readonly string[] | null | undefined): boolean =>
  prose != null && [prose].flat().some((line) => line !== "");

/** The system prompt that a role's fields come to. */
export const rolePrompt = (role: RoleDefinition): string => {
  const parts = [role.systemPrompt ?? composePrompt(role)];
  if (isSaid(role.extractPrompt)) parts.push(`## Answer\n\n${role.extractPrompt}`);
  if (role.frontmatter != null && parts.some((part) => /frontmatter/i.test(part))) parts.push(FRONTMATTER);
  return parts.join("\n\n");
};

/** Roles that were written for agents whose output stood as YAML at the head of a text speak of it by that name. */
const FRONTMATTER = 'Where "frontmatter" is spoken of, the fields of your output are meant.';

const composePrompt = (role: RoleDefinition): string =>
  composed
    .flatMap((field) => {
      const prose = role[field];
      if (prose == null || !isSaid(prose)) return [];
      const mark = (index: number): string => (field === "procedure" ? `${index + 1}.` : "-");
      const body =
        typeof prose === "string" ? prose : prose.map((line, index) => `${mark(index)} ${line}`).join("\n");
      return [`## ${headings[field]}\n\n${body}`];
    })
    .join("\n\n");
