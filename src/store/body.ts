import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/**
 * Characters. Below this, packing a body takes longer than writing it (60 µs against 10), and a chain of some
 * hundred of them is read six times slower.
 */
const compressFrom = 4096;

/** How a payload's JSON is kept: as text, or as zstd bytes when that is smaller. */
export type Body = string | Uint8Array;

export const encodeBody = (json: string): Body => {
  if (json.length < compressFrom) return json;
  const bytes = Buffer.from(json, "utf8");
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return packed.length < bytes.length ? packed : json;
};

/** No payload is longer: the largest are captured files, of 50 MiB before they are text. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The payload's JSON. Throws when the bytes are damaged, or unpack to more than any payload has. */
export const decodeBody = (body: Body): string =>
  typeof body === "string" ? body : zstdDecompressSync(body, { maxOutputLength: MAX_BYTES }).toString("utf8");
