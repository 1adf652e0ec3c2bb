import { isUtf8 } from "node:buffer";
import { MAX_CONVERSATIONS } from "../agent-state.ts";
import type { FieldShape, Shape } from "./shape.ts";

/** Fields of one message: the entries of the longest conversation, and all else that a state has. */
const MAX_OWN_FIELDS = MAX_CONVERSATIONS + 500;
/** Fields of a request, those of its inner messages counted: for each entry of the longest conversation, thirty. */
const MAX_FIELDS = 30 * MAX_CONVERSATIONS;

/** Why a request is not decoded. */
export type Flaw = "not-utf-8" | "too-many-fields";

/**
 * Looks through a message's bytes before objects are made of them: a field of two bytes becomes an object of hundreds, and
 * what is not UTF-8 is replaced silently. Throws a RangeError for what is no message of the shape.
 */
export const flawOf = (bytes: Uint8Array, shape: Shape): Flaw | null =>
  flawIn({ bytes, at: 0, fields: 0 }, { shape, end: bytes.length });

type Reader = { readonly bytes: Uint8Array; at: number; fields: number };

const flawIn = (reader: Reader, { shape, end }: { shape: Shape; end: number }): Flaw | null => {
  for (let own = 1; reader.at < end; own++) {
    if (own > MAX_OWN_FIELDS || ++reader.fields > MAX_FIELDS) return "too-many-fields";
    const tag = smallVarint(reader);
    const flaw = flawInField(reader, { field: shape.get(tag >>> 3), wire: tag & 7, end });
    if (flaw !== null) return flaw;
  }
  return null;
};

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

const flawInField = (
  reader: Reader,
  { field, wire, end }: { field: FieldShape | undefined; wire: number; end: number },
): Flaw | null => {
  // The decoder reads a field that it knows as what it should be, whatever is said.
  if (field !== undefined && wire !== (field === "number" ? VARINT : LENGTH)) throw unreadable();
  if (wire === VARINT) skipVarint(reader);
  else if (wire === FIXED64) reader.at += 8;
  else if (wire === FIXED32) reader.at += 4;
  else if (wire !== LENGTH) throw unreadable();
  else {
    const innerEnd = smallVarint(reader) + reader.at;
    if (innerEnd > end) throw unreadable();
    if (typeof field === "object") return flawIn(reader, { shape: field.inner, end: innerEnd });
    if (field === "text" && !isUtf8(reader.bytes.subarray(reader.at, innerEnd))) return "not-utf-8";
    reader.at = innerEnd;
  }
  if (reader.at > end) throw unreadable();
  return null;
};

/** Of at most 32 bits, as tags and lengths are. */
const smallVarint = (reader: Reader): number => {
  let value = 0;
  for (let factor = 1; factor <= 2 ** 28; factor *= 2 ** 7) {
    const byte = nextByte(reader);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80 && value < 2 ** 32) return value;
  }
  throw unreadable();
};

/** Of at most 64 bits. */
const skipVarint = (reader: Reader): void => {
  for (let length = 1; length <= 10; length++) if (nextByte(reader) < 0x80) return;
  throw unreadable();
};

const nextByte = (reader: Reader): number => {
  const byte = reader.bytes[reader.at++];
  if (byte === undefined) throw unreadable();
  return byte;
};

const unreadable = (): RangeError => new RangeError("the bytes are no message of this kind");
