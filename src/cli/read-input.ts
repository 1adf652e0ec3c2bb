import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { inputError } from "../base/errors.ts";
import { fileFailure } from "../base/file-failure.ts";
import type { Context } from "./context.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a file that a person named, or of standard input for `-`. Throws `input-unreadable`, `input-too-long`. */
export const readInput = async (
  file: string,
  { cwd, stdin }: Pick<Context, "cwd" | "stdin">,
): Promise<string> => {
  const name = file === "-" ? "standard input" : file;
  const stream = file === "-" ? stdin : createReadStream(resolve(cwd, file));
  const bytes = await readAll(stream, name);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw inputError("input-unreadable", `${name} is not text in UTF-8`);
  }
};

const readAll = async (stream: Readable, name: string): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of stream) {
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_BYTES) break;
    }
  } catch (error) {
    throw inputError("input-unreadable", `cannot read ${name}: ${fileFailure(error, "read")}`);
  }
  if (length > MAX_BYTES) throw inputError("input-too-long", `${name} is longer than 16 MiB`);
  return Buffer.concat(pieces);
};
