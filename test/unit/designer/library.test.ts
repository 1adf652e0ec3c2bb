import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sectionsOf } from "../../../src/designer/documents.ts";
import { indexedLibrary, searchIn } from "../../../src/designer/indexed-library.ts";
import { storedDesigns } from "../../../src/designer/stored-designs.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { type TemporaryStore, temporaryStore } from "../../fixtures/temporary-store.ts";
import { triageFile } from "../../rigs/designer-story.ts";

describe("sectionsOf", () => {
  it("cuts a page at its headings, and not at those in code", () => {
    const page = "Intro\n# One\ntext\n```sh\n# no heading\n```\n## Two\n\n### Empty\n\n#### Four\nlast\n";

    expect(sectionsOf("docs/a.md", page)).toEqual([
      { source: "docs/a.md", heading: "", text: "Intro" },
      { source: "docs/a.md", heading: "One", text: "text\n```sh\n# no heading\n```" },
      { source: "docs/a.md", heading: "Four", text: "last" },
    ]);
  });
});

describe("searchIn", () => {
  const passages = [
    { source: "a", heading: "Budgets", text: "A thread may spend so much money." },
    { source: "b", heading: "Sandbox", text: "Commands run without network and money." },
    { source: "c", heading: "标签", text: "标签可以触发工作流。" },
  ];

  it("puts a heading before a text, and leaves out what does not fit", async () => {
    const search = await searchIn(passages);

    expect(search("money in the sandbox", 5).map(({ source }) => source)).toEqual(["b", "a"]);
    expect(search("money", 1)).toHaveLength(1);
    expect(search("zebra", 5)).toEqual([]);
  });

  it("finds words in Chinese, where nothing stands between them", async () => {
    expect((await searchIn(passages))("用标签触发", 5).map(({ source }) => source)).toEqual(["c"]);
  });
});

describe("indexedLibrary", () => {
  let temporary: TemporaryStore;
  beforeEach(() => {
    temporary = temporaryStore();
  });
  afterEach(() => temporary.dispose());

  it("finds the documentation, bundled workflows, and those that were registered since", async () => {
    const { store } = temporary;
    const library = indexedLibrary(store);

    const sources = async (query: string) => (await library.search(query, 8)).map(({ source }) => source);
    expect(await sources("forgejo webhook")).toContain("docs/forgejo.md");
    expect(await sources("review comments of the bot's pull request")).toContain(
      "workflow address-review (bundled)",
    );
    expect(await sources("sorter unsure question bug")).not.toContain("workflow triage (registry)");

    await storedDesigns(store).register(await loadWorkflow(triageFile, { file: "triage.yaml" }));
    expect((await sources("sorter unsure question bug"))[0]).toBe("workflow triage (registry)");
  });
});
