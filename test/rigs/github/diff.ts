import type { BareRepository } from "./bare-repository.ts";

export type FileDiff = {
  path: string;
  status: "added" | "removed" | "modified";
  additions: number;
  deletions: number;
  /** From the first hunk on; null for files that are not text. */
  patch: string | null;
};

/** What a pull request changes: from where the branches parted to `head`. */
export const diffOf = async (
  repository: BareRepository,
  { base, head }: { base: string; head: string },
): Promise<FileDiff[]> => {
  const range = `${base}...${head}`;
  const text = await repository.git("-c", "core.quotePath=false", "diff", "--no-renames", range);
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== "")
    .map(fileDiff);
};

const fileDiff = (part: string): FileDiff => {
  const hunks = part.search(/^@@ /m);
  const patch = hunks === -1 ? null : part.slice(hunks).replace(/\n$/, "");
  const lines = patch?.split("\n") ?? [];
  return {
    path: /^diff --git a\/.+ b\/(.+)$/m.exec(part)?.[1] ?? "",
    status: /^new file mode/m.test(part)
      ? "added"
      : /^deleted file mode/m.test(part)
        ? "removed"
        : "modified",
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
    patch,
  };
};

/** The hunk that holds a line of the new file, up to that line; null when the diff does not show the line. */
export const hunkUpTo = ({ patch }: FileDiff, line: number): string | null => {
  let at = 0;
  let hunk: string[] = [];
  for (const text of patch?.split("\n") ?? []) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (start !== undefined) {
      at = Number(start) - 1;
      hunk = [text];
      continue;
    }
    hunk.push(text);
    if (text.startsWith("-") || text.startsWith("\\")) continue;
    at++;
    if (at === line) return hunk.join("\n");
  }
  return null;
};

/** Where a line of `path` at `from` is at `to`; null when it was changed or is gone. */
export const movedLine = async (
  repository: BareRepository,
  { path, line, from, to }: { path: string; line: number; from: string; to: string },
): Promise<number | null> => {
  if (from === to) return line;
  const changes = await repository.git("diff", "--no-renames", "--unified=0", from, to, "--", path);
  let moved = line;
  for (const [, start = "", count = "1", , newCount = "1"] of changes.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
  )) {
    const first = Number(start);
    const length = Number(count);
    if (length > 0 && line >= first && line < first + length) return null;
    if (line >= first + Math.max(length, 1)) moved += Number(newCount) - length;
  }
  return moved;
};
