import { readFileSync } from "node:fs";

/** The text of a template from the project's root, with what stands for each line `{{name}}`. Throws where nothing does. */
export const filledTemplate = (
  root: URL,
  path: string,
  parts: Readonly<Record<string, () => string>>,
): string =>
  readFileSync(new URL(path, root), "utf8").replace(/^\{\{(.+)\}\}$/gm, (mark, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`${path}: nothing is called ${mark}`);
    return part();
  });
