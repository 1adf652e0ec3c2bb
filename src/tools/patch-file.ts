import { z } from "zod";
import { AppError } from "../base/errors.ts";
import { withinTime } from "../base/time-limit.ts";
import { binaryType } from "./binary.ts";
import { absentAdvice, lineAt, regionAround } from "./patch/advice.ts";
import { findChange, type Match, type Tier } from "./patch/match.ts";
import { numberedDiff } from "./patch/numbered-diff.ts";
import { newPlaceholder } from "./patch/placeholder.ts";
import { replaceHits } from "./patch/replace.ts";
import { newSyntaxError } from "./patch/syntax.ts";
import { missingPath, workspacePath } from "./paths.ts";
import { decodeText, encodeText, sha256, shownText, type TextFile, toLf, withoutBom } from "./text-format.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "./tool.ts";

export const patchFile = defineTool({
  name: "patch_file",
  description:
    "Replace old_text by new_text in a file. old_text must be in the file exactly once: copy it from what you read, " +
    "without the line numbers, with enough lines around to make it unique, or set replace_all. Answers the " +
    "numbered diff; when nothing matched, where the nearest text is and how it differs.",
  effect: "write",
  input: z.object({
    path: z.string().min(1).describe("Relative to the workspace's root, or absolute inside it."),
    old_text: z.string().describe("The text to replace, with its indentation."),
    new_text: z.string().describe("What to put there; empty to delete."),
    replace_all: z.boolean().optional().describe("Replace every occurrence. Default false."),
  }),
  run: async (input, context) => {
    const path = workspacePath(context.workspace, input.path);
    const file = await load(path, context);
    if ("ok" in file) return file;
    const [old, next] = [toLf(withoutBom(input.old_text)), toLf(withoutBom(input.new_text))];
    if (old === "")
      return refused(
        "old_text is empty. Give the text to replace, or use write_file to write the whole file.",
      );
    if (old === next) return refused("old_text and new_text are the same.");
    const placeholder = newPlaceholder(next, shownText(file));
    if (placeholder !== null)
      return refused(
        `new_text has a line that stands for code left out: "${placeholder}". Write the lines themselves, or ` +
          "patch a smaller place.",
      );
    try {
      return await patch({ path, file, old, next, all: input.replace_all === true, context });
    } catch (error) {
      if (!(error instanceof AppError && error.code === "too-slow")) throw error;
      return refused(
        "The file has too many places that resemble old_text to look at them all. Give old_text exactly as the file has it, or use shell_exec.",
      );
    }
  },
});

/** Of a file: each patch looks at all of it several times. */
const MAX_BYTES = 2 * 1024 * 1024;
const SHOWN_HITS = 10;
const MAX_MS = 500;

/** Texts that are alike in many places would take hours. */
const inTime = <T>(work: () => T): T => withinTime("looking for old_text", MAX_MS, work);

type Patch = { path: string; file: TextFile; old: string; next: string; all: boolean; context: ToolContext };

const refused = (text: string): ToolAnswer => ({ ok: false, text: `${text} Nothing was changed.` });

const load = async (path: string, { workspace }: ToolContext): Promise<TextFile | ToolAnswer> => {
  const entry = await workspace.files.stat(path);
  if (entry === undefined)
    return refused(`${await missingPath(workspace, path)}\nwrite_file makes a new file.`);
  if (entry.kind === "directory" || entry.kind === "other") return refused(`${path} is not a file.`);
  if (entry.size > MAX_BYTES) return refused(`${path} is too large to patch; use shell_exec.`);
  const bytes = await workspace.files.read(path);
  const binary = binaryType(bytes);
  return binary === null ? decodeText(bytes) : refused(`${path} is not a text file (${binary}).`);
};

const patch = async (job: Patch): Promise<ToolAnswer> => {
  const { file, context, path } = job;
  const change = { old: inEncoding(job.old, file), new: inEncoding(job.next, file) };
  const match = inTime(() => findChange(file.source, change));
  if (match === null)
    return failed(
      job,
      inTime(() => absent(job)),
    );
  if (match.hits.length > 1 && (!job.all || match.tier > 4)) return failed(job, ambiguous(job, match));
  const known = context.seen.get(path);
  if (match.tier > 1 && known !== file.hash) return failed(job, unknownContent(job, match));
  if (file.source.length + match.hits.length * match.change.new.length > MAX_BYTES)
    return refused(`${path} would become too large to patch; use shell_exec.`);
  const { text, places } = inTime(() => replaceHits(file.source, match));
  if (text === file.source) return refused("The file already has new_text in this place.");
  const bytes = encodeText(text, file);
  await context.workspace.files.write(path, bytes);
  context.patchFailures?.delete(path);
  const after = shownText(decodeText(bytes));
  const answer = await report(job, { match, places, after });
  return known === file.hash
    ? { ok: true, text: answer, seen: { [path]: sha256(bytes) } }
    : { ok: true, text: answer };
};

/** In a file that is not UTF-8, one character per byte, as its source has. */
const inEncoding = (text: string, file: TextFile): string =>
  file.encoding === "utf8" ? text : Buffer.from(text, "utf8").toString("latin1");

const WAYS: Readonly<Record<Tier, string>> = {
  1: "",
  2: "after taking the line numbers off old_text",
  3: "whatever spaces end the lines and without blank lines at its edges",
  4: "with quotes, dashes and spaces in their plain forms",
  5: "with another indentation, which new_text was given too",
  6: "after unescaping it; write line ends and quotes as they are",
};

const report = async (
  { path, file, context }: Patch,
  { match, places, after }: { match: Match; places: number; after: string },
): Promise<string> => {
  const before = shownText(file);
  const diff = numberedDiff(before, after);
  const problem = await newSyntaxError(path, { before, after, signal: context.signal });
  const where = places === 1 ? "" : `${places} places, `;
  return [
    `Patched ${path} (${where}+${diff.added} -${diff.removed} lines).`,
    ...(match.tier === 1 ? [] : [`old_text matched only ${WAYS[match.tier]} (tier ${match.tier}).`]),
    ...staleNote(context.seen.get(path), file.hash),
    diff.text,
    ...(problem === null ? [] : [`New syntax error: ${problem}`]),
  ].join("\n");
};

const staleNote = (known: string | undefined, now: string): string[] => {
  if (known === now) return [];
  return known === undefined
    ? ["Note: you have not read this file; read it before you change more of it."]
    : ["Note: the file had changed since you read it; read it again before you change more of it."];
};

type Failure = { text: string; around: number | null };

const absent = ({ path, file, old, next }: Patch): Failure => {
  const advice = absentAdvice(shownText(file), { old, next });
  const bytes =
    file.encoding === "latin1"
      ? "\nThe file is not valid UTF-8: lines with � can be changed with shell_exec only."
      : "";
  return { ...advice, text: `old_text is not in ${path}. Nothing was changed. ${advice.text}${bytes}` };
};

const ambiguous = ({ path, all }: Patch, { view, hits, tier }: Match): Failure => {
  const lines = hits.slice(0, SHOWN_HITS).map((hit) => lineAt(view.text, hit) + 1);
  const listed = `${lines.join(", ")}${hits.length > lines.length ? ", …" : ""}`;
  const how = tier === 1 ? "" : ` (${WAYS[tier]})`;
  const advice = all
    ? "With so loose a match replace_all is not possible: give old_text exactly as the file has it."
    : "Add lines around it to make it unique, or set replace_all.";
  return {
    text: `old_text is ${hits.length} times in ${path}${how}, at lines ${listed}. Nothing was changed. ${advice}`,
    around: (lines[0] ?? 1) - 1,
  };
};

const unknownContent = ({ path, context }: Patch, { view, hits, tier }: Match): Failure => {
  const why = context.seen.has(path)
    ? "the file has changed since you read it"
    : "you have not read the file yet";
  return {
    text: `old_text is not exactly in ${path}; it would match only ${WAYS[tier]}, and ${why}. Nothing was changed. Read the file again, then patch it.`,
    around: lineAt(view.text, hits[0] ?? 0),
  };
};

/** From the second failure in a row on a file, the answer shows the place, so that the model need not ask for it. */
const failed = ({ path, file, context }: Patch, failure: Failure): ToolAnswer => {
  const failures = (context.patchFailures?.get(path) ?? 0) + 1;
  context.patchFailures?.set(path, failures);
  if (failures < 2) return { ok: false, text: failure.text };
  if (failure.around === null)
    return { ok: false, text: `${failure.text}\nRead ${path} again before you patch it.` };
  const region = regionAround(shownText(file), failure.around);
  return { ok: false, text: `${failure.text}\n\n${region}`, seen: { [path]: file.hash } };
};
