import { readFileSync } from "node:fs";
import { apiPage } from "./api-page.ts";
import { commandsPage } from "./commands.ts";
import { configSchema, environmentSchema, repositorySchema, type Schema } from "./json-schemas.ts";
import { networkPage } from "./network-page.ts";
import { rowsOf, sections, table, variableRows } from "./tables.ts";
import { filledTemplate } from "./template.ts";
import { whatPeopleSee } from "./what-people-see.ts";

/** The project's root. */
export const root = new URL("../../", import.meta.url);

/** What is made from the code, as it should be: paths from the root, and texts. */
export const generatedFiles = (): { path: string; text: string }[] => [
  { path: "docs/api.md", text: apiPage(root) },
  { path: "docs/commands.md", text: commandsPage() },
  { path: "docs/configuration.md", text: page() },
  { path: "docs/network.md", text: networkPage(root) },
  { path: "docs/what-people-see.md", text: whatPeopleSee() },
  { path: "schemas/config.schema.json", text: json(configSchema) },
  { path: "schemas/repository.schema.json", text: json(repositorySchema) },
];

const json = (schema: Schema): string => `${JSON.stringify(schema, null, 2)}\n`;

const NOTE =
  "<!-- Made by `npm run docs` from the schemas in src/config and from docs/generate/configuration.md: change those. -->";

const page = (): string => {
  const parts: Record<string, () => string> = {
    config: () => sections(configSchema),
    environment: () => table("variable", variableRows(environmentSchema)),
    repository: () => table("key", rowsOf(repositorySchema)),
    "config-example": () => example("docs/examples/config.yaml"),
    "repository-example": () => example("docs/examples/uwf.yml"),
  };
  return `${NOTE}\n\n${filledTemplate(root, "docs/generate/configuration.md", parts)}`;
};

const example = (path: string): string => `\`\`\`yaml\n${read(path).trimEnd()}\n\`\`\``;

const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
