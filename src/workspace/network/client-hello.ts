/** What the first bytes of a TLS connection say. */
export type ClientHello =
  /** More bytes are needed. */
  | { kind: "incomplete" }
  /** No ClientHello, or one that programs read in different ways. */
  | { kind: "invalid" }
  /** `serverName`: null where it names none. `isHidden`: it carries another, encrypted one (ECH), which decides. */
  | { kind: "hello"; serverName: string | null; isHidden: boolean };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_CLIENT_HELLO = 0xfe0d;
const MOST_BYTES = 64 * 1024;
/** What comes byte by byte is looked at as often: each look at so many more would take milliseconds. */
const MOST_RECORDS = 1_024;

/** Thrown by what cannot be read any further. */
class Unreadable extends Error {}

/** Reads the ClientHello of RFC 8446, section 4.1.2, in as many records as it takes (section 5.1). */
export const readClientHello = (bytes: Buffer): ClientHello => {
  try {
    const message = handshake(bytes);
    if (message === null) return bytes.length > MOST_BYTES ? { kind: "invalid" } : { kind: "incomplete" };
    return hello(message);
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "invalid" };
    throw error;
  }
};

/** The first handshake message without its header; null while it is not whole. */
const handshake = (bytes: Buffer): Buffer | null => {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const size = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3 || size === 0 || pieces.length === MOST_RECORDS)
      throw new Unreadable();
    pieces.push(bytes.subarray(at + 5, at + 5 + size));
    at += 5 + size;
  }
  const whole = Buffer.concat(pieces);
  if (whole.length === 0) return null;
  if (whole[0] !== CLIENT_HELLO) throw new Unreadable();
  if (whole.length < 4) return null;
  const length = whole.readUIntBE(1, 3);
  if (length > MOST_BYTES) throw new Unreadable();
  return whole.length < 4 + length ? null : whole.subarray(4, 4 + length);
};

const hello = (message: Buffer): ClientHello => {
  const cursor = cursorOver(message);
  cursor.bytes(2 + 32);
  cursor.vector(1);
  cursor.vector(2);
  cursor.vector(1);
  if (cursor.isAtEnd()) return { kind: "hello", serverName: null, isHidden: false };
  const extensions = cursorOver(cursor.vector(2));
  if (!cursor.isAtEnd()) throw new Unreadable();
  const found = new Map<number, Buffer>();
  while (!extensions.isAtEnd()) {
    const type = extensions.number(2);
    if (found.has(type)) throw new Unreadable();
    found.set(type, extensions.vector(2));
  }
  const names = found.get(SERVER_NAME);
  return {
    kind: "hello",
    serverName: names === undefined ? null : nameIn(names),
    isHidden: found.has(ENCRYPTED_CLIENT_HELLO),
  };
};

/** Exactly one name, of the only kind that there is (RFC 6066, section 3). */
const nameIn = (extension: Buffer): string => {
  const outer = cursorOver(extension);
  const list = cursorOver(outer.vector(2));
  const kind = list.number(1);
  const name = list.vector(2);
  if (kind !== 0 || name.length === 0 || !list.isAtEnd() || !outer.isAtEnd()) throw new Unreadable();
  return name.toString("latin1");
};

const cursorOver = (bytes: Buffer) => {
  let at = 0;
  const take = (count: number): Buffer => {
    if (at + count > bytes.length) throw new Unreadable();
    at += count;
    return bytes.subarray(at - count, at);
  };
  const number = (size: 1 | 2): number => take(size).readUIntBE(0, size);
  return {
    bytes: take,
    number,
    /** A length of so many bytes, and what it counts. */
    vector: (size: 1 | 2): Buffer => take(number(size)),
    isAtEnd: (): boolean => at === bytes.length,
  };
};
