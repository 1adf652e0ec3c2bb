import type { Workspace } from "../../workspace/workspace.ts";
import { binaryType, sizeText } from "../binary.ts";
import { MAX_FILE_BYTES } from "../read-file.ts";
import { cutText, decodeText, linesOf, numberedLine, shownText } from "../text-format.ts";
import type { Hit } from "./search-program.ts";

const MAX_LINE_CHARS = 500;

export type ShownHits = { text: string; seen: Record<string, string> };

/**
 * The lines of hits (sorted by path and line), under their files' names, with `around` lines to each side. Files of
 * which a surrounding was shown are in `seen`.
 */
export const showHits = async (
  workspace: Workspace,
  hits: readonly Hit[],
  { around }: { around: number },
): Promise<ShownHits> => {
  const sections: string[] = [];
  const seen: Record<string, string> = {};
  for (const [path, ofFile] of Map.groupBy(hits, (hit) => hit.path)) {
    const file = await load(workspace, path);
    if (typeof file === "string") {
      sections.push([path, ...ofFile.map((hit) => numberedLine(hit.line, file))].join("\n"));
      continue;
    }
    const title = around > 0 ? `${path} (hit at ${ofFile.map((hit) => hit.line).join(", ")})` : path;
    sections.push([title, ...linesOfHits(file.lines, ofFile, around)].join("\n"));
    if (around > 0) seen[path] = file.hash;
  }
  return { text: sections.join("\n\n"), seen };
};

/** The file's lines, or why they are not shown. */
const load = async (
  workspace: Workspace,
  path: string,
): Promise<{ lines: string[]; hash: string } | string> => {
  const entry = await workspace.files.stat(path);
  if (entry?.kind !== "file") return "(the file is gone)";
  if (entry.size > MAX_FILE_BYTES) return `(not shown: the file has ${sizeText(entry.size)})`;
  const bytes = await workspace.files.read(path);
  if (binaryType(bytes) !== null) return "(not shown: not a text file)";
  const file = decodeText(bytes);
  return { lines: linesOf(shownText(file)), hash: file.hash };
};

const linesOfHits = (lines: readonly string[], hits: readonly Hit[], around: number): string[] => {
  const columns = new Map(hits.map((hit) => [hit.line, hit.column]));
  const shown: string[] = [];
  let last = 0;
  for (const hit of hits) {
    const from = Math.max(hit.line - around, last + 1);
    const to = Math.min(hit.line + around, Math.max(lines.length, hit.line));
    if (around > 0 && last > 0 && from > last + 1) shown.push("…");
    for (let number = from; number <= to; number++)
      shown.push(numberedLine(number, excerpt(lines[number - 1] ?? "", columns.get(number) ?? 1)));
    last = Math.max(last, to);
  }
  return shown;
};

/** At most 500 characters, around the byte `column` (from 1). */
const excerpt = (line: string, column: number): string => {
  if (line.length <= MAX_LINE_CHARS) return line;
  const before = Buffer.from(line)
    .subarray(0, column - 1)
    .toString().length;
  if (before < MAX_LINE_CHARS - 100) return `${cutText(line, MAX_LINE_CHARS - 1)}…`;
  const start = Math.min(before - 100, line.length - MAX_LINE_CHARS);
  const low = line.charCodeAt(start);
  const part = line.slice(low >= 0xdc00 && low <= 0xdfff ? start + 1 : start);
  return part.length > MAX_LINE_CHARS - 1 ? `…${cutText(part, MAX_LINE_CHARS - 2)}…` : `…${part}`;
};
