const SNIFFED_BYTES = 4096;

const MAGIC: readonly (readonly [type: string, prefix: readonly number[]])[] = [
  ["PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["JPEG image", [0xff, 0xd8, 0xff]],
  ["GIF image", [0x47, 0x49, 0x46, 0x38]],
  ["PDF document", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["ZIP archive (or a format built on it)", [0x50, 0x4b, 0x03, 0x04]],
  ["gzip data", [0x1f, 0x8b]],
  ["zstd data", [0x28, 0xb5, 0x2f, 0xfd]],
  ["bzip2 data", [0x42, 0x5a, 0x68]],
  ["xz data", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["ELF program or library", [0x7f, 0x45, 0x4c, 0x46]],
  ["WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
  ["Java class or Mach-O program", [0xca, 0xfe, 0xba, 0xbe]],
  ["Windows program", [0x4d, 0x5a]],
  ["SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ["WOFF font", [0x77, 0x4f, 0x46]],
  ["RIFF media (WebP, WAV, AVI)", [0x52, 0x49, 0x46, 0x46]],
  ["UTF-16 text", [0xff, 0xfe]],
  ["UTF-16 text", [0xfe, 0xff]],
];

const isControl = (byte: number): boolean =>
  (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f;

/**
 * What kind of binary this is, or null for text. Content decides, never the name: a NUL, or more than 30 % control
 * characters in the first 4 KiB.
 */
export const binaryType = (bytes: Uint8Array): string | null => {
  const start = bytes.subarray(0, SNIFFED_BYTES);
  let controls = 0;
  for (const byte of start) {
    if (byte === 0) return typeByMagic(bytes);
    if (isControl(byte)) controls++;
  }
  return controls > start.length * 0.3 || isMedia(bytes) ? typeByMagic(bytes) : null;
};

/** Compressed and image data may pass the count by chance; a long magic number does not. */
const isMedia = (bytes: Uint8Array): boolean =>
  MAGIC.some(
    ([, prefix]) => prefix.length >= 3 && prefix.some((byte) => byte >= 0x80) && hasPrefix(bytes, prefix),
  );

const typeByMagic = (bytes: Uint8Array): string =>
  MAGIC.find(([, prefix]) => hasPrefix(bytes, prefix))?.[0] ?? "binary data";

const hasPrefix = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  prefix.every((byte, i) => bytes[i] === byte);

/** `1,234 bytes`, `12.3 KiB`, `4.5 MiB`. */
export const sizeText = (bytes: number): string => {
  if (bytes < 10_240) return `${bytes.toLocaleString("en-US")} bytes`;
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
};
