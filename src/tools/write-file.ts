import { z } from "zod";
import { binaryType } from "./binary.ts";
import { changedLines, lineDiff } from "./patch/line-diff.ts";
import { newPlaceholder } from "./patch/placeholder.ts";
import { newSyntaxError } from "./patch/syntax.ts";
import { workspacePath } from "./paths.ts";
import { MAX_FILE_BYTES } from "./read-file.ts";
import {
  decodeText,
  encodeText,
  linesOf,
  sha256,
  shownText,
  type TextFile,
  toLf,
  withoutBom,
} from "./text-format.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "./tool.ts";

export const writeFile = defineTool({
  name: "write_file",
  description:
    "Create a file, or replace one whole; folders are made. Content is written exactly: write every line, never a " +
    "placeholder for lines that stay. An existing file must have been read first and not changed since. For " +
    "changes to a part of a file use patch_file.",
  effect: "write",
  input: z.object({
    path: z.string().min(1).describe("Relative to the workspace's root, or absolute inside it."),
    content: z.string().describe("The whole new content."),
  }),
  run: async ({ path: asked, content }, context) => {
    const path = workspacePath(context.workspace, asked);
    const entry = await context.workspace.files.stat(path);
    if (entry === undefined) return create(path, content, context);
    if (entry.kind === "directory" || entry.kind === "other")
      return refusal(`${path} is ${entry.kind === "directory" ? "a folder" : "a special file"}, not a file.`);
    if (entry.size > MAX_FILE_BYTES)
      return refusal(`${path} is too large to replace this way; use shell_exec.`);
    return replace(path, content, context);
  },
});

const refusal = (text: string): ToolAnswer => ({ ok: false, text: `${text} Nothing was written.` });

const create = async (path: string, content: string, context: ToolContext): Promise<ToolAnswer> => {
  const placeholder = newPlaceholder(content, "");
  if (placeholder !== null) return refusal(placeholderText(placeholder));
  const bytes = Buffer.from(content);
  await context.workspace.files.write(path, bytes);
  const size = linesOf(toLf(content)).length;
  return { ok: true, text: `Created ${path} (+${size} lines).`, seen: { [path]: sha256(bytes) } };
};

const replace = async (path: string, content: string, context: ToolContext): Promise<ToolAnswer> => {
  const old = await context.workspace.files.read(path);
  const binary = binaryType(old);
  const file = decodeText(old);
  const lf = toLf(withoutBom(content));
  const bytes = binary === null ? inStyleOf(file, lf) : Buffer.from(content);
  if (Buffer.compare(bytes, old) === 0)
    return {
      ok: true,
      text: `${path} has exactly this content already; nothing to do.`,
      seen: { [path]: file.hash },
    };
  const known = context.seen.get(path);
  if (known === undefined)
    return refusal(`${path} exists and you have not read it. Read it first, then write or patch it.`);
  if (known !== file.hash)
    return refusal(`${path} has changed since you last read it. Read it again, then write or patch it.`);
  const placeholder = newPlaceholder(lf, shownText(file));
  if (placeholder !== null) return refusal(placeholderText(placeholder));
  await context.workspace.files.write(path, bytes);
  const { added, removed } = changedLines(lineDiff(linesOf(shownText(file)), linesOf(lf)));
  const problem = await newSyntaxError(path, { before: shownText(file), after: lf, signal: context.signal });
  const text = `Replaced ${path} (+${added} -${removed} lines).`;
  return {
    ok: true,
    text: problem === null ? text : `${text}\nNew syntax error: ${problem}`,
    seen: { [path]: sha256(bytes) },
  };
};

/** New content is always valid UTF-8, whatever the file was before. */
const inStyleOf = (file: TextFile, lf: string): Uint8Array =>
  encodeText(file.eol === "\r\n" ? lf.replaceAll("\n", "\r\n") : lf, { bom: file.bom, encoding: "utf8" });

const placeholderText = (line: string): string =>
  `The content has a line that stands for code left out: "${line}". That code would be lost. Write every line, or ` +
  "change only a part with patch_file.";
