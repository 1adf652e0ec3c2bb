import { z } from "zod";
import type { FileEntry } from "../workspace/workspace.ts";
import { binaryType, sizeText } from "./binary.ts";
import { listing } from "./list-files.ts";
import { missingPath, workspacePath } from "./paths.ts";
import { cutText, decodeText, linesOf, numberedLine, shownText, type TextFile } from "./text-format.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "./tool.ts";

const MAX_LINES = 2000;
const MAX_SHOWN_BYTES = 50 * 1024;
const MAX_LINE_CHARS = 2000;
/** Above this a file is not loaded at all. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export const readFile = defineTool({
  name: "read_file",
  description:
    "Read a text file. Lines come as number, tab, text; the numbers are not part of the file. At most 2,000 lines " +
    "or 50 KiB at a time: the last line of the answer says at which offset to go on. For a folder, lists it.",
  effect: "read",
  input: z.object({
    path: z.string().min(1).describe("Relative to the workspace's root, or absolute inside it."),
    offset: z.int().min(1).optional().describe("First line to read, counted from 1. Default 1."),
    limit: z.int().min(1).max(MAX_LINES).optional().describe("How many lines to read. Default 2,000."),
  }),
  run: async ({ path: asked, offset, limit }, context) => {
    const { workspace } = context;
    const path = workspacePath(workspace, asked);
    const entry = await workspace.files.stat(path);
    if (entry === undefined) return { ok: false, text: await missingPath(workspace, path) };
    if (entry.kind === "directory") return folderAnswer(path, context);
    if (entry.kind === "other")
      return { ok: false, text: `${path} is neither a file nor a folder (a socket, pipe or device).` };
    if (entry.size > MAX_FILE_BYTES) return { ok: false, text: tooLarge(path, entry) };
    const bytes = await workspace.files.read(path);
    const binary = binaryType(bytes);
    if (binary !== null) {
      const text = `${path} is not a text file: ${binary}, ${sizeText(bytes.length)}. Its content is not shown.`;
      return { ok: true, text };
    }
    return textAnswer(path, decodeText(bytes), { offset: offset ?? 1, limit: limit ?? MAX_LINES });
  },
});

const folderAnswer = async (path: string, context: ToolContext): Promise<ToolAnswer> => ({
  ok: true,
  text: `${path} is a folder:\n${await listing(context.workspace, path, { depth: 1 })}`,
});

const tooLarge = (path: string, entry: FileEntry): string =>
  `${path} has ${sizeText(entry.size)}, too much to load. Use search_files on it, or shell_exec with ` +
  `\`sed -n '1,200p'\`, \`head\` or \`tail\`.`;

const textAnswer = (
  path: string,
  file: TextFile,
  { offset, limit }: { offset: number; limit: number },
): ToolAnswer => {
  const seen = { [path]: file.hash };
  if (file.source === "") return { ok: true, text: `${path} is empty.`, seen };
  const lines = linesOf(shownText(file));
  if (offset > lines.length) {
    const text = `offset ${offset} is past the end: ${path} has ${count(lines.length, "line")}.`;
    return { ok: false, text };
  }
  const shown = window(path, lines, { offset, limit });
  const last = offset + shown.length - 1;
  const notes = [footer({ first: offset, last, total: lines.length }), ...formatNotes(file)];
  return { ok: true, text: [...shown, "", `(${notes.join(" ")})`].join("\n"), seen };
};

/** Whole lines from `offset` within both bounds, at least one. */
const window = (
  path: string,
  lines: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): string[] => {
  const shown: string[] = [];
  let bytes = 0;
  for (const [i, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const number = offset + i;
    const text = numberedLine(number, shortLine(path, number, line));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAX_SHOWN_BYTES && shown.length > 0) break;
    shown.push(text);
  }
  return shown;
};

const shortLine = (path: string, number: number, line: string): string => {
  if (line.length <= MAX_LINE_CHARS) return line;
  const start = cutText(line, MAX_LINE_CHARS);
  return `${start}… [line cut: ${line.length.toLocaleString("en-US")} characters; the next ones with shell_exec: sed -n '${number}p' ${quoted(path)} | cut -c${start.length + 1}-${start.length + 2000}]`;
};

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

const footer = ({ first, last, total }: { first: number; last: number; total: number }): string => {
  if (last < total) return `Lines ${first}-${last} of ${total}. Go on with offset ${last + 1}.`;
  return first === 1
    ? `End of file, ${count(total, "line")}.`
    : `Lines ${first}-${last} of ${total}, end of file.`;
};

const formatNotes = (file: TextFile): string[] => [
  ...(file.mixed
    ? ["Line ends are mixed, CRLF and LF."]
    : file.eol === "\r\n"
      ? ["Line ends are CRLF."]
      : []),
  ...(file.encoding === "latin1" ? ["Not valid UTF-8: each � stands for bytes that cannot be shown."] : []),
];

const count = (n: number, noun: string): string =>
  `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
