import { endpoint } from "./edges.ts";
import { END, SUSPEND } from "./workflow.ts";

/**
 * The task that an edge of the status form comes to, and how much of it stands in the file. Prompts there say what is asked
 * of the role next, not what the whole work is about: a role's agent was told that, and what the roles before had answered,
 * besides. What a prompt takes up itself is not told again.
 */
export const statusPrompt = ({
  role,
  prompt,
  location,
  first,
}: {
  role: string;
  /** No role has answered yet. */
  first: boolean;
  prompt?: string | null | undefined;
  location?: string | null | undefined;
}): { prompt: string | null; written: number } => {
  if (prompt == null)
    return { prompt: location == null ? null : `{{ input }}${there(location)}`, written: 0 };
  const text = doubleBraces(prompt);
  if ([END, SUSPEND].includes(endpoint(role))) return { prompt: text, written: text.length };
  const parts = [text, location == null ? "" : there(location)];
  if (!isUsed("input", text)) parts.push(WORK);
  if (!first && !isUsed("steps", text)) parts.push(ANSWERS);
  return { prompt: parts.join(""), written: text.length };
};

/** Mustache's unescaped variables: nothing is escaped here. As long as before, so that places stay right. */
const doubleBraces = (template: string): string =>
  template.replace(/\{\{\{(\s*[\w$.[\]"'-]+\s*)\}\}\}/g, "{{ $1 }}");

const isUsed = (name: string, template: string): boolean =>
  new RegExp(`\\{[{%][^}]*(?<![\\w.-])${name}\\b`).test(template);

const there = (location: string): string =>
  `{%- capture edge_location -%}${doubleBraces(location)}{%- endcapture -%}{%- if edge_location != "" %}

Work in {{ edge_location }}.
{%- endif %}`;

const WORK = `

This is part of the following work:

<work>
{{ input }}
</work>`;

const ANSWERS = `
{%- for step in steps %}
{%- if forloop.first %}

What the roles before have answered, each the last time:
{%- endif %}

<answer role="{{ step[0] }}">
{{ step[1] }}
</answer>
{%- endfor %}`;
