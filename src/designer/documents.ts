import { readdir, readFile } from "node:fs/promises";
import type { Store } from "../store/store.ts";
import { bundledWorkflowNames, readBundledWorkflow } from "../workflow/bundled.ts";
import { fileText } from "../workflow/file-text.ts";
import { loadStoredWorkflow } from "../workflow/nodes.ts";
import type { Passage } from "./library.ts";

const docs = new URL("../../docs/", import.meta.url);

/** Characters of a passage that a model is shown. */
const MOST = 2_500;

/** The documentation by its headings. Where the program was installed without it, there is none. */
export const documentation = async (): Promise<Passage[]> => {
  const names = await readdir(docs).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const pages = names.filter((name) => name.endsWith(".md"));
  const texts = await Promise.all(pages.map((name) => readFile(new URL(name, docs), "utf8")));
  return texts.flatMap((text, index) => sectionsOf(`docs/${pages[index]}`, text));
};

/** The parts of a Markdown page, each from a heading to the next; headings inside code blocks are none. */
export const sectionsOf = (source: string, text: string): Passage[] => {
  const parts: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,4} +(.+)$/.exec(line)?.[1];
    if (heading === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ heading, lines: [] });
  }
  return parts
    .map(({ heading, lines }) => ({ source, heading, text: lines.join("\n").trim().slice(0, MOST) }))
    .filter((passage) => passage.text !== "");
};

/** The files of the bundled workflows. */
export const bundledFiles = async (): Promise<Passage[]> => {
  const names = await bundledWorkflowNames();
  return Promise.all(
    names.map(async (name) => filePassage(name, "bundled", (await readBundledWorkflow(name)) ?? "")),
  );
};

/** The files that the registry's workflows would have. */
export const registeredFiles = async (
  store: Pick<Store, "workflows" | "load" | "loadAll">,
): Promise<Passage[]> =>
  Promise.all(
    (await store.workflows()).map(async ({ name, hash }) =>
      filePassage(name, "registry", await fileText(await loadStoredWorkflow(store, hash))),
    ),
  );

const filePassage = (name: string, place: string, text: string): Passage => ({
  source: `workflow ${name} (${place})`,
  heading: name,
  text: text.slice(0, MOST),
});
