import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isObject } from "../../base/json.ts";
import { addTold, nothingTold, readTold, type Told } from "./told.ts";

/** Of a program's trace; what comes after it is left out. */
const MAX_BYTES = 1024 * 1024;

/** The lines of a trace that are JSON, what is wrong with it, for people, and what the program has said to uwf in it. */
export type Trace = { text: string; problems: string[]; told: Told };

/**
 * Reads the JSON lines that a program left at `path`: null when it left none. The path was the program's to write, so whatever is
 * no plain file there is not opened.
 */
export const readTrace = async (path: string): Promise<Trace | null> => {
  const bytes = await readStart(path);
  if (bytes === null) return null;
  if (bytes === "no-file")
    return { text: "", problems: ["the trace is no plain file: it was not read"], told: nothingTold };
  const problems: string[] = [];
  const lines = bytes.toString("utf8", 0, Math.min(bytes.length, MAX_BYTES)).split("\n");
  if (bytes.length > MAX_BYTES) {
    lines.pop();
    problems.push(`the trace is longer than ${MAX_BYTES} bytes: the rest was left out`);
  }
  let told = nothingTold;
  const kept = lines.filter((line, index) => {
    if (line.trim() === "") return false;
    const value = parsed(line);
    if (value === undefined) problems.push(`line ${index + 1} of the trace is no JSON: it was left out`);
    if (!isObject(value) || !Object.hasOwn(value, "uwf")) return value !== undefined;
    const word = readTold(value.uwf);
    if (word === null) problems.push(`line ${index + 1} of the trace is no word to uwf: it was left out`);
    else told = addTold(told, word);
    return false;
  });
  return { text: kept.map((line) => `${line}\n`).join(""), problems: problems.slice(0, 10), told };
};

const readStart = async (path: string): Promise<Buffer | "no-file" | null> => {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "ELOOP" || code === "ENXIO" || code === "EACCES") return "no-file";
    throw error;
  }
  try {
    if (!(await file.stat()).isFile()) return "no-file";
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, null);
      filled += bytesRead;
      if (bytesRead === 0 || filled === buffer.length) return buffer.subarray(0, filled);
    }
  } finally {
    await file.close();
  }
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
