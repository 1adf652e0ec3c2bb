import { remembered } from "../base/remembered.ts";
import type { Store } from "../store/store.ts";
import { bundledFiles, documentation, registeredFiles } from "./documents.ts";
import type { Library, Passage } from "./library.ts";

/** Headings say what a passage is about. */
const BOOST = { heading: 2 };

/** The documentation and the installed workflows, ranked by BM25. What was registered since is found, too. */
export const indexedLibrary = (store: Pick<Store, "workflows" | "load" | "loadAll">): Library => {
  const fixed = remembered<Passage[]>(LAST);
  const index = remembered<Search>(LAST);
  return {
    search: async (query, limit) => {
      const registered = JSON.stringify(await store.workflows());
      const search = await index(registered, async () => {
        const installed = fixed("", async () => [...(await documentation()), ...(await bundledFiles())]);
        return searchIn([...(await installed), ...(await registeredFiles(store))]);
      });
      return search(query, limit);
    },
  };
};

/** The one made last, for as long as the process lives. */
const LAST = { most: 1, forMs: Number.POSITIVE_INFINITY, now: () => 0 };

type Search = (query: string, limit: number) => Passage[];

export const searchIn = async (passages: readonly Passage[]): Promise<Search> => {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<Passage & { id: number }>({
    fields: ["heading", "text"],
    tokenize: words,
    searchOptions: { boost: BOOST, tokenize: words },
  });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .flatMap(({ id }) => passages[id as number] ?? []);
};

/** Chinese has no spaces between its words. */
const words = (text: string): string[] =>
  [...new Intl.Segmenter("zh", { granularity: "word" }).segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
