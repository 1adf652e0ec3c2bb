/** A flowchart that uwf has made itself, as a block that forges draw. */
export const mermaidBlock = (graph: string): string => `\`\`\`mermaid\n${graph.trimEnd()}\n\`\`\``;
