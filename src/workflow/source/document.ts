import type { Document, LineCounter, YAMLError } from "yaml";
import { messageOf } from "../../base/errors.ts";
import { type CapProblem, capProblem, caps } from "./caps.ts";
import { positions } from "./positions.ts";
import type { LocatedProblem, Place, Position, Problem } from "./problem.ts";

export type WorkflowDocument = {
  /** Plain JSON values: no cycle, no `__proto__` key, every number finite. */
  value: unknown;
  positionOf(problem: Place & { at?: number }): Position;
};

export type ReadResult = { ok: true; document: WorkflowDocument } | { ok: false; problems: LocatedProblem[] };

type Yaml = Pick<typeof import("yaml"), "isScalar" | "visit">;

const MAX_FOUND = 100;

/** Reads untrusted YAML 1.2. Never throws for what the text holds. */
export const readDocument = async (source: string | Uint8Array): Promise<ReadResult> => {
  const size = typeof source === "string" ? Buffer.byteLength(source) : source.byteLength;
  if (size > caps.bytes) return failed(`the file has ${size} bytes; at most ${caps.bytes} are read`);
  const text = textOf(source);
  if (typeof text !== "string") return text;
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const cap = capProblem(text, yaml);
  if (cap) return failed(cap.message, positionIn(text, cap.offset));
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // Looked for below: the library compares each key with each.
    uniqueKeys: false,
    resolveKnownTags: false,
    // With "silent", a second document would be dropped without a word.
    logLevel: "error",
  });
  const errors = [...document.errors, ...document.warnings].map((error) => wording(error, lines));
  if (document.directives?.yaml.version !== "1.2")
    errors.unshift({ line: 1, column: 1, message: "only YAML 1.2 is read; remove the %YAML line" });
  if (errors.length > 0) return { ok: false, problems: errors };
  const loose = looseEnds(document, yaml);
  if (loose.length > 0)
    return {
      ok: false,
      problems: loose.map(({ offset, message }) => ({ ...positionIn(text, offset), message })),
    };
  return plain(document, positions(document, { text, lines, yaml }));
};

const failed = (message: string, position: Position = { line: 1, column: 1 }): ReadResult => ({
  ok: false,
  problems: [{ ...position, message }],
});

const textOf = (source: string | Uint8Array): string | ReadResult => {
  if (typeof source === "string") return source.replace(/^\uFEFF/, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(source);
  } catch {
    const lossy = new TextDecoder("utf-8").decode(source);
    return failed("the file is not UTF-8 text", positionIn(lossy, lossy.indexOf("\uFFFD")));
  }
};

const positionIn = (text: string, offset: number): Position => {
  const before = text.slice(0, Math.max(0, offset)).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

const wording = (error: YAMLError, lines: LineCounter): LocatedProblem => {
  const { line, col } = lines.linePos(error.pos[0]);
  const at = { line: Math.max(1, line), column: Math.max(1, col) };
  if (error.code === "MULTIPLE_DOCS") return { ...at, message: "the file holds more than one YAML document" };
  return { ...at, message: error.message };
};

/** Keys that are there twice, and aliases of nothing: what the parser lets pass. */
const looseEnds = (document: Document.Parsed, { visit, isScalar }: Yaml): CapProblem[] => {
  const found: CapProblem[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name))
          found.push({
            offset: key.range?.[0] ?? 0,
            message: `the key ${JSON.stringify(name)} is there twice`,
          });
        seen.add(name);
      }
    },
    Alias: (_, alias) => {
      if (!alias.resolve(document))
        found.push({
          offset: alias.range?.[0] ?? 0,
          message: `no anchor &${alias.source} before this alias`,
        });
    },
  });
  return found.slice(0, MAX_FOUND);
};

const plain = (document: Document.Parsed, positionOf: WorkflowDocument["positionOf"]): ReadResult => {
  try {
    const value: unknown = document.toJS({ maxAliasCount: caps.aliases });
    const problem = unplain(value);
    if (problem) return failed(problem.message, positionOf(problem));
    return { ok: true, document: { value, positionOf } };
  } catch (error) {
    return failed(messageOf(error));
  }
};

/** The first thing in the value that is not plain JSON of a reasonable size. Aliases can share, nest and loop. */
const unplain = (root: unknown): Problem | null => {
  const open: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let seen = 1; open.length > 0; seen++) {
    const { value, path } = open.pop() ?? { value: null, path: [] };
    if (seen > caps.values)
      return { path: [], on: "value", message: `the file holds more than ${caps.values} values` };
    if (path.length > caps.depth)
      return { path, on: "value", message: `nested deeper than ${caps.depth} levels` };
    if (typeof value === "number" && !Number.isFinite(value))
      return { path, on: "value", message: "a number must be finite" };
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === "__proto__") return { path: at, on: "key", message: `"__proto__" may not be a key` };
      if (key === "<<")
        return { path: at, on: "key", message: "merge keys are not supported; write the fields out" };
      open.push({ value: inner, path: at });
    }
  }
  return null;
};
