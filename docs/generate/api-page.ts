import { readFileSync } from "node:fs";
import { type PublicExport, publicExports } from "./exports.ts";
import { filledTemplate } from "./template.ts";

const NOTE =
  "<!-- Made by `npm run docs` from the comments in the modules of src/api.ts and from docs/generate/api.md: change those. -->";

/** What docs/examples/api.ts prints; a test runs it. */
const OUTPUT = "porter { visitor: 'Ada' }\ngreeter { text: 'Good morning, Ada.' }\n{ kind: 'end' }";

/** The page on the TypeScript API. Throws where an export has no comment. */
export const apiPage = (root: URL): string => {
  const read = (path: string): string => readFileSync(new URL(path, root), "utf8").trimEnd();
  const parts: Readonly<Record<string, () => string>> = {
    example: () => read("docs/examples/api.ts"),
    output: () => OUTPUT,
    model: () => read("docs/examples/model.ts"),
    reference: () => reference(publicExports(new URL("src/api.ts", root))),
  };
  return `${NOTE}\n\n${filledTemplate(root, "docs/generate/api.md", parts)}`;
};

/** Those to call first, then the types that they speak of. */
const reference = (all: readonly PublicExport[]): string => {
  const bare = all.filter(({ doc }) => doc === "").map(({ name }) => name);
  if (bare.length > 0) throw new Error(`src/api.ts: no comment says what these are: ${bare.join(", ")}`);
  const section = (kind: PublicExport["kind"]): string =>
    all
      .filter((one) => one.kind === kind)
      .sort((a, b) => a.name.localeCompare(b.name, "en"))
      .map(({ name, doc, code }) => `### ${name}\n\n${doc}\n\n\`\`\`ts\n${code}\n\`\`\``)
      .join("\n\n");
  return `## Functions and classes\n\n${section("value")}\n\n## Types\n\n${section("type")}`;
};
