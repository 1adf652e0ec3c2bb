import { createHash } from "node:crypto";

/**
 * The UUID of whoever is known by this key: `api` for who brings the server's token, `github/octocat` on a forge. Always the same
 * (RFC 9562, version 8).
 */
export const userIdOf = (key: string): string => {
  const hex = createHash("sha256").update(`uwf user ${key}`).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
};
