import type { Edge } from "../store/payload.ts";
import { END, START, SUSPEND, type Workflow } from "./workflow.ts";

const LABEL = 80;

/** The workflow as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html). */
export const mermaid = ({ roles, moderator }: Workflow): string => {
  const names = Object.keys(roles);
  const id = (name: string): string => ids[name] ?? `role${names.indexOf(name)}`;
  const nodes = names.map((name) => {
    const role = roles[name];
    const lines = [
      name,
      ...(role?.workflow ? [`workflow: ${role.workflow}`] : []),
      ...(role?.publish ? [role.publish] : []),
      ...(role?.approval ? [`approval ${role.approval}`] : []),
    ];
    const text = lines.map(escaped).join("<br/>");
    return role?.workflow ? `${id(name)}[["${text}"]]` : `${id(name)}["${text}"]`;
  });
  const edges = moderator.map((edge) => {
    const label = labelOf(edge);
    return `${id(edge.from)} -->${label === "" ? "" : `|"${label}"|`} ${id(edge.to)}`;
  });
  const waits = moderator.some(({ to }) => to === SUSPEND) ? [`wait(["${escaped(SUSPEND)}"])`] : [];
  const all = [`start(["${escaped(START)}"])`, ...nodes, `finish(["${escaped(END)}"])`, ...waits, ...edges];
  return ["flowchart TD", ...all.map((line) => `  ${line}`), ""].join("\n");
};

const ids: Readonly<Record<string, string>> = { [START]: "start", [END]: "finish", [SUSPEND]: "wait" };

/** `on: resume`, the condition, or both; a status condition is shown as the status alone. */
const labelOf = ({ when, on }: Edge): string => {
  const status = when === null ? null : /^output\["\$status"\] == ("(?:[^"\\]|\\.)*")$/.exec(when)?.[1];
  const condition = status ? String(JSON.parse(status)) : (when ?? "").replace(/\s+/g, " ").trim();
  const text = [on ?? "", condition].filter((part) => part !== "").join(": ");
  const characters = [...text];
  return escaped(characters.length > LABEL ? `${characters.slice(0, LABEL - 1).join("")}…` : text);
};

/** In a quoted label, every character that Mermaid or HTML could read as markup becomes an entity code. */
const escaped = (text: string): string =>
  text.replace(/[^\p{L}\p{N} _.,:=()!+\-/?'…$]/gu, (character) => `#${character.codePointAt(0)};`);
