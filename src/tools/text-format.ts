import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";

const BOM = "\uFEFF";

/** A text file with what must survive an edit: BOM, line ends, bytes that are not UTF-8. */
export type TextFile = {
  /**
   * The content without BOM, line ends as they are. In a file that is not valid UTF-8 every character stands for one
   * byte (`encoding` latin1), so that what is not edited is written back unchanged.
   */
  source: string;
  encoding: "utf8" | "latin1";
  bom: boolean;
  /** What most of the line ends are; LF when there is none. */
  eol: "\n" | "\r\n";
  mixed: boolean;
  /** SHA-256 of the bytes, hex. */
  hash: string;
};

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const decodeText = (bytes: Uint8Array): TextFile => {
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  const bom = encoding === "utf8" && text.startsWith(BOM);
  const source = bom ? text.slice(1) : text;
  const crlf = source.split("\r\n").length - 1;
  const lf = source.split("\n").length - 1 - crlf;
  return {
    source,
    encoding,
    bom,
    eol: crlf > lf ? "\r\n" : "\n",
    mixed: crlf > 0 && lf > 0,
    hash: sha256(bytes),
  };
};

/** The bytes of an edited `source`, with the file's BOM and encoding. */
export const encodeText = (source: string, like: Pick<TextFile, "bom" | "encoding">): Uint8Array =>
  Buffer.from(like.bom ? BOM + source : source, like.encoding);

/** What a model sees: LF line ends, no BOM, U+FFFD for bytes that are not UTF-8. */
export const shownText = (file: TextFile): string => {
  const text = file.encoding === "utf8" ? file.source : Buffer.from(file.source, "latin1").toString("utf8");
  return toLf(text);
};

export const toLf = (text: string): string => text.replaceAll("\r\n", "\n");

export const withoutBom = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text);

/** Lines without their ends; a final line end makes no further line. */
export const linesOf = (text: string): string[] => {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

/** The first `length` characters or fewer, never half of a surrogate pair. */
export const cutText = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
};

/** `N<TAB>text`, the form in which every tool shows lines of files. */
export const numberedLine = (number: number, text: string): string => `${number}\t${text}`;
