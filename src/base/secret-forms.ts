/** One way in which a secret can stand in a text. */
export type SecretForm = {
  text: string;
  /** In base64 the characters around belong to the same bytes, and tell of them. */
  isBase64: boolean;
};

/**
 * Every form in which a secret may come back: as it is, written into JSON, an address, a form, HTML, a mail or a diff of bytes,
 * backwards, and in base64 wherever among other bytes it stands there.
 */
export const formsOf = (secret: string): SecretForm[] => {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const address = percentEncoded(secret);
  const plain = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    address,
    withLowerCaseEscapes(address),
    address.replaceAll("%20", "+"),
    percentEncoded(address),
    inHtml(secret),
    quotedPrintable(bytes),
    hex,
    hex.toUpperCase(),
    [...secret].reverse().join(""),
  ];
  return [
    ...[...new Set(plain)].map((text) => ({ text, isBase64: false })),
    ...[0, 1, 2].flatMap((before) =>
      (["base64", "base64url"] as const).map((encoding) => ({
        text: insideOf(bytes, { before, encoding }),
        isBase64: true,
      })),
    ),
  ];
};

/** A secret may hold half a character, which no address can. */
const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const withLowerCaseEscapes = (text: string): string =>
  text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const inHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const quotedPrintable = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      (byte >= 0x20 && byte < 0x7f && byte !== 0x3d) || byte === 0x0a || byte === 0x0d
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");

/**
 * The characters that the bytes alone decide when so many others (modulo 3) stand before them and any number after: `user:` before
 * a password, say.
 */
const insideOf = (
  bytes: Buffer,
  { before, encoding }: { before: number; encoding: "base64" | "base64url" },
): string => {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
  const shared = Math.ceil((before * 8) / 6);
  const whole = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(shared, whole);
};
