import type { Hash } from "../../base/ids.ts";
import { shortDiff } from "../../base/line-diff.ts";
import type { Payload } from "../../store/payload.ts";
import type { Drift } from "./drift.ts";
import type { ScratchStore } from "./scratch-store.ts";

type Captured = Payload<"workspace">;
type File = Captured["files"][number];
type Difference = Pick<Drift, "kind" | "what" | "diff">;

/** How the files differ from those that were recorded: the commit that they lie on, then one path after the other. */
export const compareFiles = async (
  store: Pick<ScratchStore, "load">,
  recorded: Captured,
  now: Captured,
): Promise<Difference[]> => {
  const base: Difference[] =
    recorded.base === now.base
      ? []
      : [
          {
            kind: "base",
            what: `The files lie on the commit ${now.base.slice(0, 12)}, and lay on ${recorded.base.slice(0, 12)}.`,
            diff: [],
          },
        ];
  const [before, after] = [recorded, now].map(({ files }) => new Map(files.map((file) => [file.path, file])));
  const paths = [...new Set([...recorded.files, ...now.files].map(({ path }) => path))].sort();
  const files: Difference[] = [];
  for (const path of paths) {
    const [was, is] = [before?.get(path), after?.get(path)];
    if (was?.mode === is?.mode && was?.content === is?.content) continue;
    const diff = was === undefined || is === undefined ? [] : await contentDiff(store, was, is);
    files.push({ kind: "file", what: `${path}: ${difference(was, is)}.`, diff });
  }
  return [...base, ...files];
};

const difference = (was: File | undefined, is: File | undefined): string => {
  if (was === undefined)
    return is?.content === null ? "is removed, and was not" : "is changed or new, and was not";
  if (is === undefined)
    return was.content === null ? "was removed, and is not" : "was changed or new, and is not";
  if (was.content === null) return "was removed, and is not";
  if (is.content === null) return "is removed, and was not";
  if (was.content === is.content) return `has the mode ${is.mode}, and had ${was.mode}`;
  return "has other contents";
};

const contentDiff = async (store: Pick<ScratchStore, "load">, was: File, is: File): Promise<string[]> => {
  if (was.content === null || is.content === null || was.content === is.content) return [];
  const [before, after] = await Promise.all([was.content, is.content].map((hash) => textOf(store, hash)));
  return before === null || after === null ? [] : shortDiff(before ?? "", after ?? "");
};

/** Null for bytes that are no text. */
const textOf = async (store: Pick<ScratchStore, "load">, hash: Hash): Promise<string | null> => {
  const { encoding, text } = await store.load("text", hash);
  return encoding === "utf8" ? text : null;
};
