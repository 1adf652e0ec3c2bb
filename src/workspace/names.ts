/** Begins the names of files that are being written; none of them is ever captured. */
export const TEMPORARY_PREFIX = ".uwf-tmp-";

/**
 * Gitattributes that take files byte for byte: no line ends converted, no filter run. (`-working-tree-encoding` would be
 * an error, hence the `!`.)
 */
export const BYTE_FOR_BYTE = "* -text -crlf -ident -filter !eol !working-tree-encoding\n";

/** Code points that HFS+ ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * A name as file systems compare it that tell no difference between cases, between composed and decomposed letters, and
 * between a name and its streams, or that drop what they ignore in it (APFS, HFS+, NTFS).
 */
export const foldedName = (name: string): string =>
  name
    .replace(IGNORED, "")
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(/:[\s\S]*$/, "")
    .replace(/[. ]+$/, "");

/**
 * True for every spelling of `.git` that some file system takes for it: other cases, trailing dots and spaces, NTFS
 * streams and short names, ignored characters. Git refuses such names in a tree.
 */
const isGitName = (component: string): boolean => {
  const name = foldedName(component);
  return name === ".git" || name === "git~1";
};

/** True when a path has a component that could become a repository's own directory. */
export const hasGitName = (path: string): boolean => path.split(/[/\\]/).some(isGitName);

/** True for links that git refuses in a tree, because it reads the file of that name. */
export const isReservedLinkName = (path: string): boolean => {
  const name = foldedName(path.slice(path.lastIndexOf("/") + 1));
  return /^(\.gitmodules|gitmod~\d|gi7eba~\d)$/.test(name);
};

/**
 * True when a link at `path` (relative to the root) leads to a place inside the tree, wherever the tree is put: it
 * is relative, climbs only at its start, and no higher than the root.
 */
export const staysInside = (path: string, target: string): boolean => {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return false;
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const climbs = parts.findIndex((part) => part !== "..");
  const up = climbs === -1 ? parts.length : climbs;
  return up <= path.split("/").length - 1 && !parts.slice(up).includes("..") && !parts.some(isGitName);
};
