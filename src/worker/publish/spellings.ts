import { foldedName } from "../../workspace/names.ts";

const SHORT_NAME = /^([^.~]{1,6})~\d{1,6}(?:\.([^.]{0,3}))?$/;

/**
 * What some file system may take a name for, folded: itself, and of the names that matter those whose short name (NTFS,
 * FAT) it may be, like `github~1` for `.github` and `gi0a1b~1` where there are many.
 */
export const spellings = (name: string, literals: readonly string[]): string[] => {
  const folded = foldedName(name);
  const [, stem, extension = ""] = SHORT_NAME.exec(folded) ?? [];
  const long = stem === undefined ? [] : literals.filter((each) => mayBeShort(each, { stem, extension }));
  return [...new Set([name.toLowerCase(), folded, ...long])];
};

const mayBeShort = (name: string, { stem, extension }: { stem: string; extension: string }): boolean => {
  const bare = name.replace(/^[. ]+/, "").replace(/ /g, "");
  const dot = bare.lastIndexOf(".");
  const [start, end] = dot < 0 ? [bare, ""] : [bare.slice(0, dot).replace(/\./g, ""), bare.slice(dot + 1)];
  if (end.slice(0, 3) !== extension) return false;
  return start.startsWith(stem) || (/^..[0-9a-f]{4}$/.test(stem) && start.startsWith(stem.slice(0, 2)));
};
