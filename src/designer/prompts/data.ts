/** Text of others between marks that it cannot close itself. */
export const data = (name: string, text: string): string =>
  `<${name}>\n${text.replaceAll(new RegExp(`<(/?)${name}\\b`, "gi"), "<$1 ")}\n</${name}>`;
